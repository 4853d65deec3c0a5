import Dispatch
import Glibc
@testable import HubTransport
import HubTestSupport
import HubVocabulary
import Testing

@Suite("Peers that do not read")
struct PressureTests {
    /// The byte at a position repeats after this many; blocks are cut from `pattern`.
    private static let period = 251 * 256
    private static let pattern = (0..<2 * period).map { UInt8(truncatingIfNeeded: $0 / 251) }

    private static func expected(at position: Int, count: Int) -> ArraySlice<UInt8> {
        pattern[position % period..<position % period + count]
    }

    /// Writes the pattern in blocks whenever there is room, until `total` bytes were accepted.
    private static func pour(
        _ total: Int,
        into connection: ConnectionID,
        _ handler: ScriptedHandler
    ) {
        let counter = Counter()
        let more = { [unowned handler] in
            while counter.value < total {
                let block = Array(Self.expected(at: counter.value, count: 8_192))
                guard handler.write(block, to: connection) == .accepted else { return }
                counter.value += block.count
            }
        }
        handler.writable = { _ in more() }
        more()
    }

    private final class Counter {
        var value = 0
    }

    @Test(
        "a full socket blocks within bounded memory; all bytes arrive once it is read",
        arguments: RecordSealing.allCases
    )
    func blocksAndDrains(sealing: RecordSealing) throws {
        let net = try TestNet(sealing: sealing)
        let client = try net.client()
        let pair = try net.open(client)
        try client.run { $0.connections.pauseReading(pair.client) }
        let total = 32 << 20
        try net.server.run { Self.pour(total, into: pair.server, $0) }
        _ = try net.statistics("blocked") { $0.blockedSends > 0 }
        // Nothing moves once the kernel has its share; that, plus one turn, is all that is held.
        try eventually(blocking: "no room") {
            try net.server.run { $0.connections.room(in: pair.server) } == 0
        }
        let held = try net.server.run { handler in
            (
                handler.connections.unsentCount(pair.server),
                handler.write([1], to: pair.server)
            )
        }
        #expect(held.0 > 0 && held.0 <= TransportLimits.standard.unsentBytes)
        #expect(held.1 == .blocked)
        try client.run { handler in
            var at = 0
            let log = handler.log
            handler.received = { _, bytes in
                for start in stride(from: 0, to: bytes.count, by: 8_192) {
                    let part = bytes[start..<min(bytes.count, start + 8_192)]
                    if part != Self.expected(at: at + start, count: part.count) {
                        Issue.record("bytes \(at + start) and following are wrong")
                    }
                }
                at += bytes.count
                if at >= total { log.append(.posted(at)) }
            }
            handler.connections.resumeReading(pair.client)
        }
        try client.log.wait("everything") { $0.contains(.posted(total)) ? () : nil }
    }

    @Test(
        "output nobody reads ends the connection after its deadline",
        arguments: RecordSealing.allCases
    )
    func endsUnread(sealing: RecordSealing) throws {
        var limits = TransportLimits.patient
        limits.timers.unreadMilliseconds = 200
        let net = try TestNet(limits: limits, sealing: sealing)
        let client = try net.client()
        let pair = try net.open(client)
        try client.run { $0.connections.pauseReading(pair.client) }
        try net.server.run { Self.pour(64 << 20, into: pair.server, $0) }
        let cause = try net.server.log.wait("closed") { $0.cause(of: pair.server) }
        #expect(cause == .unreadOutput)
        #expect(try net.server.run { $0.connections.statistics.unread } == 1)
    }

    @Test("a peer that reads slowly but steadily is kept", arguments: RecordSealing.allCases)
    func keepsSlowReaders(sealing: RecordSealing) throws {
        var limits = TransportLimits.patient
        limits.timers.unreadMilliseconds = 2_000
        // A machine that stood still for longer than the limit has shown nothing: once more then.
        for _ in 0..<10 {
            let net = try TestNet(limits: limits, sealing: sealing)
            let client = try net.client()
            let pair = try net.open(client)
            // Reading in gulps, one for every tick of 100 ms, drains far slower than is written.
            try client.run { Self.sip(512 << 10, from: pair.client, $0) }
            try net.server.run { Self.pour(64 << 20, into: pair.server, $0) }
            let pause = try client.log.wait("half a megabyte, or the end") { events in
                for case .posted(let longest) in events { return longest }
                return events.cause(of: pair.client).map { _ in Int.max }
            }
            let cause = net.server.log.all.cause(of: pair.server)
            if pause < 1_000 || cause == nil { return #expect(cause == nil) }
        }
        Issue.record("closed in every round, or a machine that stood still in all of them")
    }

    /// Reads once in a tick; logs the longest pause in milliseconds when `total` bytes have come.
    private static func sip(_ total: Int, from connection: ConnectionID, _ handler: ScriptedHandler)
    {
        let clock = ContinuousClock()
        var last = clock.now
        var longest = Duration.zero
        var received = 0
        let log = handler.log
        handler.connections.pauseReading(connection)
        handler.ticked = { [unowned handler] in handler.connections.resumeReading(connection) }
        handler.received = { [unowned handler] connection, bytes in
            longest = max(longest, clock.now - last)
            last = clock.now
            received += bytes.count
            handler.connections.pauseReading(connection)
            if received >= total { log.append(.posted(Int(longest / .milliseconds(1)))) }
        }
    }

    @Test(
        "paused reading delivers nothing, resumed reading delivers everything",
        arguments: RecordSealing.allCases
    )
    func pauses(sealing: RecordSealing) throws {
        let net = try TestNet(sealing: sealing)
        let client = try net.client()
        let pair = try net.open(client)
        let other = try net.open(client)
        try net.server.run { $0.connections.pauseReading(pair.server) }
        try client.run { handler in
            handler.write([1, 2, 3], to: pair.client)
            handler.write([4], to: other.client)
        }
        try net.server.log.wait("the other") { $0.bytes(from: other.server) == [4] ? () : nil }
        #expect(net.server.log.all.bytes(from: pair.server) == [])
        try net.server.run { $0.connections.resumeReading(pair.server) }
        try net.server.log.wait("bytes") { $0.bytes(from: pair.server) == [1, 2, 3] ? () : nil }
    }

    @Test("bytes that came with others in a turn survive a pause within it")
    func pausesWithinTurn() throws {
        let net = try TestNet()
        let client = try net.client()
        let pairs = [try net.open(client), try net.open(client)]
        let held = DispatchSemaphore(value: 0)
        try net.server.run { handler in
            let log = handler.log
            // The first one pauses the other.
            handler.received = { [unowned handler] connection, bytes in
                for pair in pairs where pair.server != connection {
                    handler.connections.pauseReading(pair.server)
                }
                log.append(.received(connection, bytes))
            }
        }
        // Both send while the server stands still, so that one turn sees both.
        net.server.post { _ in _ = held.wait(timeout: .now() + .seconds(60)) }
        try client.run { handler in for pair in pairs { handler.write([1], to: pair.client) } }
        // A later turn of the client: everything it wrote is with the kernel.
        try client.run { _ in }
        held.signal()
        let first = try net.server.log.wait("the first") { events in
            pairs.first { events.bytes(from: $0.server) == [1] }?.server
        }
        let other = try #require(pairs.first { $0.server != first }).server
        try net.server.run { $0.connections.resumeReading(other) }
        try net.server.log.wait("the other") { events in
            events.bytes(from: other) == [1] || events.cause(of: other) != nil ? () : nil
        }
        #expect(net.server.log.all.cause(of: other) == nil)
        #expect(net.server.log.all.bytes(from: other) == [1])
    }

    @Test("the room that was told is there, also when others have filled the turn")
    func roomIsKept() throws {
        var limits = TransportLimits.patient
        limits.turnBytesTotal = limits.turnBytes
        let net = try TestNet(limits: limits)
        let client = try net.client()
        let full = try net.open(client)
        let other = try net.open(client)
        try client.run { $0.connections.pauseReading(full.client) }
        try eventually(blocking: "a peer that does not read and blocks") {
            let (room, result) = try net.server.run { handler -> (Int, WriteResult) in
                let most = handler.connections.limits.turnBytes
                _ = handler.write([UInt8](repeating: 1, count: most - 8_192), to: full.server)
                _ = handler.write([UInt8](repeating: 2, count: 4_096), to: other.server)
                let room = handler.connections.room(in: full.server)
                guard room > 0 else { return (0, .accepted) }
                return (room, handler.write([UInt8](repeating: 3, count: room), to: full.server))
            }
            #expect(result == .accepted, "room \(room)")
            return room == 0 || result != .accepted
        }
    }

    @Test(
        "a stream that breaks while reading is paused is told as lost",
        arguments: RecordSealing.allCases
    )
    func losesPaused(sealing: RecordSealing) throws {
        let net = try TestNet(sealing: sealing)
        let client = try net.client()
        let pair = try net.open(client)
        try net.server.run { $0.connections.pauseReading(pair.server) }
        try client.run { handler in
            handler.connections.resetStream(pair.client)
            handler.connections.close(pair.client, .atOnce)
        }
        let cause = try net.server.log.wait("closed") { $0.cause(of: pair.server) }
        #expect(cause == .lost(code: ECONNRESET))
    }
}

extension Connections {
    /// Sealed bytes held for a connection.
    func unsentCount(_ connection: ConnectionID) -> Int {
        guard let slot = table.slot(of: connection), let record = table[slot].record else {
            return 0
        }
        return record.unsent.count - record.unsentStart
    }

    /// Makes the next close of the socket a reset.
    func resetStream(_ connection: ConnectionID) {
        guard let slot = table.slot(of: connection) else { return }
        var now = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(
            table[slot].descriptor,
            SOL_SOCKET,
            SO_LINGER,
            &now,
            socklen_t(MemoryLayout<linger>.size)
        )
    }
}

extension ScriptedHandler {
    func hasNoDelay(_ connection: ConnectionID) -> Bool {
        guard let slot = connections.table.slot(of: connection) else { return false }
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        unsafe getsockopt(
            connections.table[slot].descriptor,
            Int32(IPPROTO_TCP),
            TCP_NODELAY,
            &value,
            &size
        )
        return value != 0
    }
}
