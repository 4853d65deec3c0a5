import HubClient
import HubSender
import HubVocabulary
import HubWire
import Testing

@testable import HubBench

@Suite("Receipts of a benchmark")
struct ReceiptLedgerTests {
    private static func id(_ number: UInt64) -> NotificationIdentifier {
        NotificationIdentifier(high: 7, low: number)
    }

    private static func record(_ ledger: ReceiptLedger, _ device: Int, _ number: UInt64) {
        let notification = ReceivedNotification(
            id: id(number),
            sequence: number,
            slot: 0,
            payloadBytes: 100,
            wireBytes: 80,
            receivedAtMilliseconds: 0
        )
        ledger.record(
            device: device,
            notification,
            at: Instant(nanoseconds: 1_000 * (number + 1))
        )
    }

    private static func send(_ number: UInt64?, _ audience: BenchAudience) -> AuditedSend {
        let time = Instant(nanoseconds: 500)
        let record = SendRecord(
            sentAt: time,
            answeredAt: time,
            id: number.map(id),
            payloadBytes: 100,
            failure: number == nil ? .answerMalformed(reason: "test") : nil
        )
        return AuditedSend(record: record, audience: audience)
    }

    @Test("are compared with audiences: lost, doubled, misrouted and unknown ones are told apart")
    func audit() {
        let ledger = ReceiptLedger()
        for device in [1, 2, 2, 9] { Self.record(ledger, device, 1) }
        Self.record(ledger, 4, 2)
        Self.record(ledger, 4, 77)
        var times: [UInt64] = []
        let counts = ledger.audit(
            [
                Self.send(1, .some([1, 2, 3])), Self.send(2, .one(4)), Self.send(3, .one(5)),
                Self.send(nil, .one(6)),
            ],
            latencies: { times.append($1.nanoseconds) }
        )
        #expect(counts.expected == 5)
        #expect(counts.delivered == 3)
        #expect(counts.lost == 2, "device 3 of the first, device 5 of the third")
        #expect(counts.duplicated == 1)
        #expect(counts.misrouted == 2, "device 9, and a notification that nobody sent")
        #expect(counts.sendsFailed == 1)
        #expect(times.sorted() == [2_000, 2_000, 3_000])
        #expect(!counts.isExact)
    }

    @Test("may come before the sender knows the id, and let a waiting sender go on")
    func arrival() async {
        let ledger = ReceiptLedger()
        Self.record(ledger, 1, 1)
        #expect(await ledger.arrival(of: Self.id(1), at: 1))
        async let second = ledger.arrival(of: Self.id(2), at: 2)
        Self.record(ledger, 1, 2)
        Self.record(ledger, 2, 2)
        #expect(await second)
        async let never = ledger.arrival(of: Self.id(3), at: 1)
        ledger.giveUp()
        #expect(await never == false)
        #expect(await ledger.arrival(of: Self.id(4), at: 1) == false)
        #expect(ledger.total == 3)
    }

    @Test("a wait for many ends with its patience, and gives up those alone")
    func patience() async {
        let ledger = ReceiptLedger()
        Self.record(ledger, 1, 1)
        let sends = [Self.send(1, .one(1)), Self.send(2, .one(1))].map(\.record)
        #expect(await ledger.arrival(of: [sends[0]], at: 1, within: .seconds(60)))
        #expect(await !ledger.arrival(of: sends, at: 1, within: .milliseconds(1)))
        async let third = ledger.arrival(of: Self.id(3), at: 1)
        Self.record(ledger, 1, 3)
        #expect(await third)
        Self.record(ledger, 1, 2)
        #expect(await ledger.arrival(of: sends, at: 1, within: .seconds(60)))
    }

    @Test("segments have the devices that have their tag, and each device its number of tags")
    func groups() {
        var options = AudienceBenchmark.Options()
        options.devices = 200
        options.tags = 20
        options.tagsPerDevice = 4
        let groups = AudienceGroups(options)
        #expect(groups.count == 20)
        var memberships = 0
        for group in 0..<20 {
            let members = (0..<200).filter { groups.tags(ofDevice: $0).contains(groups.tag(group)) }
            #expect(members == (0..<200).filter(groups.audience(group).holds))
            #expect(groups.audience(group).count == members.count)
            memberships += members.count
        }
        #expect(memberships == 800)
        options.tags = nil
        let single = AudienceGroups(options)
        #expect(single.count == 200)
        #expect(single.tags(ofDevice: 7) == [single.tag(7)])
        #expect(single.audience(7).holds(7) && !single.audience(7).holds(8))
    }
}
