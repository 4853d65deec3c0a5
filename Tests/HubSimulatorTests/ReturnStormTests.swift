import HubClient
import HubVocabulary
import HubWire
import Testing

/// The devices of a hub that was away, each with the SDK's own policy, on one clock.
@Suite("Coming back in numbers")
struct ReturnStormTests {
    /// When each device is back, in milliseconds after the hub is.
    private static func returns(
        of devices: Int,
        awayMilliseconds: Int,
        by rules: ReturnRules = ReturnRules()
    ) -> [Int] {
        let pace = rules.pace(devices: devices)
        return (0..<devices).map { number in
            var policy = ReconnectPolicy(seed: UInt64(number))
            var now = 0
            var uptime: Duration = .seconds(120)
            while true {
                let departure: Departure = uptime == .zero ? .unreachable : .lost
                guard
                    case .wait(let delay) = policy.decide(
                        after: departure,
                        uptime: uptime,
                        pace: pace
                    )
                else { preconditionFailure("a device stays away") }
                // A refused connection costs a millisecond.
                now += Int(delay.components.seconds * 1_000) + 1
                now += Int(delay.components.attoseconds / 1_000_000_000_000_000)
                if now >= awayMilliseconds { return now - awayMilliseconds }
                uptime = .zero
            }
        }
    }

    @Test(
        "ten devices are back within 3 s, and 10,000 within 30 s. [C-5]",
        arguments: [0, 900, 150_000]
    )
    func back(awayMilliseconds: Int) throws {
        for (devices, limit) in [(10, 3_000), (10_000, 30_000)] {
            let times = Self.returns(of: devices, awayMilliseconds: awayMilliseconds)
            let last = try #require(times.max())
            #expect(last <= limit, "\(devices) devices, \(awayMilliseconds) ms away")
        }
    }

    @Test(
        "no second brings more than twice the rate. [C-5]",
        arguments: [0, 5_000, 3_600_000]
    )
    func storm(awayMilliseconds: Int) throws {
        var rules = ReturnRules()
        rules.perSecond = 500
        let times = Self.returns(of: 10_000, awayMilliseconds: awayMilliseconds, by: rules)
        let seconds = Dictionary(grouping: times) { $0 / 1_000 }.mapValues(\.count)
        let most = try #require(seconds.values.max())
        #expect(most <= 1_000, "\(most) in one second after \(awayMilliseconds) ms")
    }

    @Test("the pace follows from number, rate and the operator's limit. [C-5]")
    func paces() {
        var rules = ReturnRules()
        #expect(rules.pace(devices: 0) == ReturnPace(spread: 500, longest: 2_000))
        #expect(rules.pace(devices: 1_500) == ReturnPace(spread: 1_500, longest: 3_000))
        #expect(rules.pace(devices: .max) == ReturnPace(spread: 900_000, longest: 900_000))
        rules.secondsMax = 1
        rules.perSecond = 1
        #expect(rules.pace(devices: 1_500) == ReturnPace(spread: 1_000, longest: 1_000))
    }
}
