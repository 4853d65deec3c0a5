import HubTransport
import Testing

@Suite("Two reactors over TLS")
struct EchoTests {
    @Test(
        "bytes go both ways and both ends know the same exporter value",
        arguments: RecordSealing.allCases
    )
    func echoes(sealing: RecordSealing) throws {
        let net = try TestNet(sealing: sealing)
        let client = try net.client()
        try net.server.run { $0.echoes = true }
        let pair = try net.open(client)
        let hello = Array("hello, hub".utf8)
        #expect(try client.run { $0.write(hello, to: pair.client) } == .accepted)
        try client.log.wait("echo") { $0.bytes(from: pair.client) == hello ? () : nil }
        #expect(net.server.log.all.bytes(from: pair.server) == hello)
        let seen = try #require(net.server.log.all.opened.first?.1)
        #expect(seen.exporter == pair.peer.exporter)
        #expect(seen.exporter.count == 32 && Set(seen.exporter).count > 4)
        #expect(seen.applicationProtocol == "belfry/1")
        #expect(seen.isLoopback && seen.address.host == "127.0.0.1")
        #expect(seen.certificate == .none)
    }

    @Test(
        "what a connection is given in one turn is one record and one send, in order",
        arguments: RecordSealing.allCases
    )
    func coalesces(sealing: RecordSealing) throws {
        let net = try TestNet(sealing: sealing)
        let client = try net.client()
        let first = try net.open(client)
        let second = try net.open(client)
        let before = try net.server.run { $0.connections.statistics }
        try net.server.run { handler in
            for round in UInt8(0)..<10 {
                handler.write([round, 1], to: first.server)
                handler.write([round, 2, 2], to: second.server)
            }
        }
        let ones: [UInt8] = (0..<10).flatMap { [UInt8($0), 1] }
        let twos: [UInt8] = (0..<10).flatMap { [UInt8($0), 2, 2] }
        try client.log.wait("both") { events in
            events.bytes(from: first.client) == ones
                && events.bytes(from: second.client) == twos ? () : nil
        }
        let after = try net.server.run { $0.connections.statistics }
        #expect(after.records - before.records == 2)
        #expect(after.sends - before.sends == 2)
        #expect(after.blockedSends == before.blockedSends)
    }

    @Test(
        "a turn's 64 KiB are one send of full records",
        arguments: [1, 16_384, 16_385, 65_536],
        RecordSealing.allCases
    )
    func fillsRecords(count: Int, sealing: RecordSealing) throws {
        let net = try TestNet(sealing: sealing)
        let client = try net.client()
        let pair = try net.open(client)
        let before = try net.server.run { $0.connections.statistics }
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        #expect(try net.server.run { $0.write(bytes, to: pair.server) } == .accepted)
        try client.log.wait("all") { $0.bytes(from: pair.client) == bytes ? () : nil }
        let after = try net.server.run { $0.connections.statistics }
        #expect(after.records - before.records == UInt64((count + 16_383) / 16_384))
        #expect(after.sends - before.sends == 1)
    }

    @Test(
        "bytes made in place leave like others, and a shorter result is taken as it is",
        arguments: RecordSealing.allCases
    )
    func writesInPlace(sealing: RecordSealing) throws {
        let net = try TestNet(sealing: sealing)
        let client = try net.client()
        let pair = try net.open(client)
        let result = try net.server.run { handler in
            handler.connections.write(pair.server, upTo: 1_000) { output in
                for value in UInt8(0)..<100 { output.append(value) }
            }
        }
        #expect(result == .accepted)
        let expected = Array(UInt8(0)..<100)
        try client.log.wait("bytes") { $0.bytes(from: pair.client) == expected ? () : nil }
    }

    @Test(
        "more than a turn may carry is refused whole and asked for again",
        arguments: RecordSealing.allCases
    )
    func refusesMoreThanATurn(sealing: RecordSealing) throws {
        let net = try TestNet(sealing: sealing)
        let client = try net.client()
        let pair = try net.open(client)
        let results = try net.server.run { handler in
            [
                handler.write([UInt8](repeating: 1, count: 65_000), to: pair.server),
                handler.write([UInt8](repeating: 2, count: 537), to: pair.server),
                handler.write([UInt8](repeating: 3, count: 536), to: pair.server),
            ]
        }
        #expect(results == [.accepted, .blocked, .accepted])
        try net.server.log.wait("writable") { $0.contains(.writable(pair.server)) ? () : nil }
        try client.log.wait("all") { $0.bytes(from: pair.client).count == 65_536 ? () : nil }
        #expect(!client.log.all.bytes(from: pair.client).contains(2))
    }

    @Test(
        "more than the arena holds is sealed within the turn and stays in order",
        arguments: RecordSealing.allCases
    )
    func overflowsTheArena(sealing: RecordSealing) throws {
        var limits = TransportLimits.patient
        limits.turnBytesTotal = 65_536
        let net = try TestNet(limits: limits, sealing: sealing)
        let client = try net.client()
        let pairs = try (0..<4).map { _ in try net.open(client) }
        try net.server.run { handler in
            for round in UInt8(0)..<4 {
                for pair in pairs {
                    handler.write([UInt8](repeating: round, count: 12_000), to: pair.server)
                }
            }
        }
        let expected = (UInt8(0)..<4).flatMap { [UInt8](repeating: $0, count: 12_000) }
        for pair in pairs {
            try client.log.wait("all") { $0.bytes(from: pair.client) == expected ? () : nil }
        }
    }

    @Test("Nagle's algorithm is off on both ends", arguments: RecordSealing.allCases)
    func hasNoDelay(sealing: RecordSealing) throws {
        let net = try TestNet(sealing: sealing)
        let client = try net.client()
        let pair = try net.open(client)
        #expect(try net.server.run { $0.hasNoDelay(pair.server) })
        #expect(try client.run { $0.hasNoDelay(pair.client) })
    }
}
