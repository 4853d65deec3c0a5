import HubTransport
import HubVocabulary
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

    @Test("patient messages wait for a turn of a reactor without connections, in order")
    func isPatient() throws {
        let node = try TestNode(ReactorConfiguration())
        let (mailbox, log) = (node.mailbox, node.log)
        // The second turn begins when the reactor has said that it is idle.
        for _ in 0..<2 { try node.run { _ in } }
        let before = try node.run { $0.batches }
        for number in 0..<10 {
            #expect(mailbox.put({ _ in log.append(.posted(number)) }, isPatient: true) == .posted)
            mailbox.wakeIfDue()
        }
        #expect(try node.run { $0.batches } == before + 1)
        #expect(log.all == (0..<10).map { .posted($0) })
    }

    @Test("the 64th patient message wakes the reactor")
    func hasLimitedPatience() throws {
        let node = try TestNode(ReactorConfiguration())
        let (mailbox, log) = (node.mailbox, node.log)
        for _ in 0..<2 { try node.run { _ in } }
        for number in 0..<64 {
            #expect(mailbox.put({ _ in log.append(.posted(number)) }, isPatient: true) == .posted)
            mailbox.wakeIfDue()
        }
        try log.wait("the 64th wakes") { $0.contains(.posted(63)) ? () : nil }
    }

    @Test("patient messages wake a reactor that has a connection")
    func isPromptForConnections() throws {
        let net = try TestNet(sealing: .openSSL)
        _ = try net.open(net.client())
        let (mailbox, log) = (net.server.mailbox, net.server.log)
        #expect(mailbox.put({ _ in log.append(.posted(1)) }, isPatient: true) == .posted)
        mailbox.wakeIfDue()
        try log.wait("the message") { $0.contains(.posted(1)) ? () : nil }
    }

    @Test("a tick comes when it was asked for, also without connections")
    func ticksOnRequest() throws {
        let node = try TestNode(ReactorConfiguration())
        let log = node.log
        try node.run { handler in
            handler.ticked = { log.append(.posted(1)) }
            handler.connections.requestTick(
                atNanoseconds: handler.connections.now.instant.nanoseconds + 1_000_000
            )
        }
        try log.wait("tick") { $0.contains(.posted(1)) ? () : nil }
    }
}
