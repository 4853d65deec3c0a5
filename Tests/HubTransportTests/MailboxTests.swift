import HubTransport
import Testing

@Suite("Mailboxes")
struct MailboxTests {
    @Test("messages from many threads all arrive, each thread's in order, in batches")
    func deliversUnderContention() throws {
        let node = try TestNode(ReactorConfiguration())
        let mailbox = node.mailbox
        let threads = 4
        let count = 5_000
        let log = EventLog()
        let posters = try (0..<threads).map { thread in
            try ReactorThread(name: "poster \(thread)") {
                for number in 0..<count {
                    let message: ScriptedHandler.Message = { _ in
                        log.append(.posted(thread * count + number))
                    }
                    if mailbox.post(message) != .posted { Issue.record("refused \(number)") }
                }
            }
        }
        for poster in posters { poster.join() }
        let all = try log.wait("all") { $0.count == threads * count ? $0 : nil }
        var next = [Int](repeating: 0, count: threads)
        for case .posted(let value) in all {
            #expect(next[value / count] == value % count)
            next[value / count] += 1
        }
        let batches = try node.run { $0.batches }
        #expect(batches <= threads * count + 1)
    }

    @Test("a mailbox takes what it has room for, whole batches or nothing")
    func isBounded() throws {
        let mailbox = try Mailbox<Int>(capacity: 3)
        #expect(mailbox.post(1) == .posted)
        #expect(mailbox.post(contentsOf: [2, 3, 4]) == .full)
        #expect(mailbox.post(contentsOf: [2, 3]) == .posted)
        #expect(mailbox.post(4) == .full)
        #expect(mailbox.post(contentsOf: []) == .posted)
    }

    @Test("a tick comes when it was asked for, also without connections")
    func ticksOnRequest() throws {
        let node = try TestNode(ReactorConfiguration())
        let log = node.log
        try node.run { handler in
            handler.ticked = { log.append(.posted(1)) }
            handler.connections.requestTick(
                atNanoseconds: handler.connections.now.nanoseconds + 1_000_000
            )
        }
        try log.wait("tick") { $0.contains(.posted(1)) ? () : nil }
    }
}
