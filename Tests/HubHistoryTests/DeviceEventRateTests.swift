import HubHistory
import HubVocabulary
import Testing

@Suite("Events of devices")
struct DeviceEventRateTests {
    private static let device = DeviceID(high: 1, low: 2)

    private static func words(_ kinds: [HubEvent.Kind]) -> [String] {
        kinds.map { kind in
            if case .leftOut(let count) = kind { "left out \(count)" } else { kind.name }
        }
    }

    @Test("are told up to a number a second, and those left out are counted in the next one")
    func limit() {
        var rate = DeviceEventRate()
        let most = HistoryLimits.deviceEventsPerSecond
        func told(_ count: Int, at milliseconds: UInt64) -> [String] {
            (0..<count).flatMap { _ in
                let time = Timestamp(milliseconds: milliseconds)
                return Self.words(rate.admit(.connected(Self.device), at: time))
            }
        }
        #expect(told(most - 1, at: 5_000).count == most - 1)
        #expect(told(1, at: 5_999) == ["connected"])
        #expect(told(3, at: 5_999) == [])
        #expect(told(2, at: 6_000) == ["left out 3", "connected", "connected"])
        #expect(told(1, at: 7_000) == ["connected"])
    }
}
