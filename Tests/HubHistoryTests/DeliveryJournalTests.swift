import HubHistory
import HubModel
import HubVocabulary
import Testing

@Suite("Steps of test sends")
struct DeliveryJournalTests {
    private static func record(
        _ sequence: UInt64,
        _ target: NotificationTarget
    ) -> NotificationRecord {
        let draft = NotificationDraft(
            format: .template,
            target: target,
            body: Array("{}".utf8),
            timeToLive: .seconds(60)
        )
        let id = NotificationID(high: 1, low: sequence)
        return NotificationRecord(sequence: sequence, id: id, draft: draft)
    }

    private static func at(_ milliseconds: UInt64) -> Instant {
        Instant(nanoseconds: 1_000_000_000).adding(milliseconds: milliseconds)
    }

    @Test("are told in milliseconds since the test was durable, for tests alone")
    func times() throws {
        var journal = DeliveryJournal()
        let (first, second) = (DeviceID(high: 1, low: 1), DeviceID(high: 1, low: 2))
        let targets = [first, second].map { RegistrationTarget(device: $0, slot: 0) }
        let test = Self.record(7, .slots(targets))
        let other = Self.record(8, .broadcast)
        for record in [test, other] { journal.begin(record, at: Self.at(0)) }
        #expect(journal.devices(of: test.id) == [])
        #expect(journal.devices(of: other.id) == nil)
        let steps: [(UInt64, DeliveryStep.Kind, UInt64)] = [
            (7, .selected(registrations: 2), 1), (7, .sent(second), 2), (7, .sent(first), 3),
            (8, .sent(first), 4), (7, .acknowledged(first, sent: Self.at(3)), 9),
            (7, .acknowledged(DeviceID(high: 9, low: 9), sent: Self.at(3)), 9),
        ]
        for (sequence, kind, time) in steps {
            let step = DeliveryStep(sequence: sequence, trace: nil, kind: kind, at: Self.at(time))
            journal.hear(step)
        }
        let found = try #require(journal.devices(of: test.id))
        #expect(found.map(\.device) == [second, first])
        #expect(found.map(\.sent) == [2, 3] && found.map(\.acknowledged) == [nil, 9])
    }

    @Test("are known of the newest tests, as many as the limit says")
    func limit() {
        let most = HistoryLimits.tests
        for count in [most - 1, most, most + 1] {
            var journal = DeliveryJournal()
            let records = (1...UInt64(count)).map { Self.record($0, .slots([])) }
            for record in records { journal.begin(record, at: Self.at(0)) }
            #expect((journal.devices(of: records[0].id) != nil) == (count <= most), "\(count)")
            #expect(journal.devices(of: records[count - 1].id) != nil)
        }
    }
}
