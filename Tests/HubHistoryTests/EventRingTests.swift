import HubHistory
import HubModel
import HubTags
import HubVocabulary
import Testing

@Suite("Events of a hub")
struct EventRingTests {
    private func ring(_ count: Int, capacity: Int = 4) -> EventRing {
        var ring = EventRing(capacity: capacity)
        for number in 0..<count {
            let isTold = number.isMultiple(of: 2)
            ring.append(
                isTold ? .told("a") : .notice("b"),
                at: Timestamp(milliseconds: UInt64(number))
            )
        }
        return ring
    }

    private func page(_ ring: EventRing, _ after: UInt64, limit: Int = 9) -> [UInt64] {
        let page = ring.page(after: after, limit: limit)
        return page.events.map(\.number) + [page.lost, page.last]
    }

    @Test("are read on from a number, and what is gone is told")
    func reading() {
        // The numbers of the events, then how many are lost, then where to go on.
        #expect(page(ring(0), 0) == [0, 0])
        #expect(page(ring(3), 0) == [1, 2, 3, 0, 3])
        #expect(page(ring(3), 2) == [3, 0, 3])
        #expect(page(ring(3), 3) == [0, 3])
        #expect(page(ring(4), 0) == [1, 2, 3, 4, 0, 4])
        #expect(page(ring(5), 0) == [2, 3, 4, 5, 1, 5])
        #expect(page(ring(9), 2) == [6, 7, 8, 9, 3, 9])
        #expect(page(ring(9), 5) == [6, 7, 8, 9, 0, 9])
        #expect(page(ring(9), 0, limit: 2) == [6, 7, 5, 7])
        // The number of a run before a restart.
        #expect(page(ring(2), 100) == [1, 2, 0, 2])
    }

    @Test("are chosen by their kind, and those left out are passed")
    func names() {
        let page = ring(4).page(after: 0, limit: 1, matching: EventFilter(kinds: ["notice"]))
        #expect(page.events.map(\.number) == [2] && page.last == 2)
        let none = ring(4).page(after: 0, limit: 1, matching: EventFilter(kinds: ["accepted"]))
        #expect(none.events.isEmpty && none.last == 4)
        #expect(Set(HubEvent.Kind.names).isSuperset(of: ["told", "notice"]))
    }

    @Test("are chosen by their time, and a time that is kept whole has lost none")
    func times() {
        func page(_ ring: EventRing, _ since: UInt64?, _ until: UInt64?) -> [UInt64] {
            var span = TimeSpan()
            span.since = since.map(Timestamp.init(milliseconds:))
            span.until = until.map(Timestamp.init(milliseconds:))
            let page = ring.page(after: 0, matching: EventFilter(span: span))
            return page.events.map(\.number) + [page.lost, page.last]
        }
        // The event of a number happened in the millisecond before it.
        #expect(page(ring(4), 1, 3) == [2, 3, 0, 4])
        #expect(page(ring(4), nil, 0) == [0, 4])
        #expect(page(ring(4), 4, nil) == [0, 4])
        #expect(page(ring(9), 6, nil) == [7, 8, 9, 0, 9])
        #expect(page(ring(9), 5, nil) == [6, 7, 8, 9, 5, 9])
        #expect(page(ring(9), 2, 7) == [6, 7, 5, 9])
    }

    @Test("are as many as the limit allows, and no more")
    func limit() {
        let most = HistoryLimits.events
        for (count, kept) in [(most - 1, most - 1), (most, most), (most + 1, most)] {
            let page = ring(count, capacity: most).page(after: 0, limit: .max)
            #expect(page.events.count == kept && page.lost == UInt64(count - kept))
        }
        let full = ring(most, capacity: most).page(after: 0)
        #expect(full.events.count == HistoryLimits.eventsPerPage)
    }

    @Test("show of a notification no payload, no handle, and the beginning of an expression")
    func accepted() throws {
        func receivers(_ target: NotificationTarget) -> HubEvent.Receivers? {
            let record = NotificationRecord(
                sequence: 1,
                id: NotificationID(high: 1, low: 2),
                draft: NotificationDraft(
                    format: .native(.apple),
                    target: target,
                    body: [1],
                    timeToLive: .seconds(1)
                )
            )
            guard case .accepted(_, .native(.apple), let found) = HubEvent.Kind(accepting: record)
            else { return nil }
            return found
        }
        #expect(receivers(.broadcast) == .everyone)
        #expect(receivers(.handles([[1, 2]])) == .handles)
        #expect(receivers(.slots([])) == .registrations)
        for bytes in [HistoryLimits.expressionBytes, HistoryLimits.expressionBytes + 1] {
            let text =
                Array(repeating: UInt8(ascii: "a"), count: 100) + Array("||".utf8)
                + Array(repeating: UInt8(ascii: "b"), count: 100) + Array("||".utf8)
                + Array(repeating: UInt8(ascii: "c"), count: bytes - 204)
            let expression = try TagExpression(parsing: text)
            let shown = Array(text.prefix(HistoryLimits.expressionBytes))
            #expect(receivers(.tags(expression)) == .tags(shown))
        }
    }
}
