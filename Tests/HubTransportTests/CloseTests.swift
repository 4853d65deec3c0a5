import HubTransport
import HubVocabulary
import Testing

@Suite("How connections end")
struct CloseTests {
    @Test(
        "closing after the flush delivers everything first, then tells the peer",
        arguments: RecordSealing.allCases
    )
    func closesGracefully(sealing: RecordSealing) throws {
        let net = try TestNet(sealing: sealing)
        let client = try net.client()
        let pair = try net.open(client)
        let bytes = [UInt8](repeating: 7, count: 60_000)
        let later = try net.server.run { handler in
            handler.write(bytes, to: pair.server)
            handler.connections.close(pair.server, .afterFlush)
            return handler.write([1], to: pair.server)
        }
        #expect(later == .closed)
        let cause = try client.log.wait("closed") { $0.cause(of: pair.client) }
        #expect(cause == .peer)
        #expect(client.log.all.bytes(from: pair.client) == bytes)
        let own = try net.server.log.wait("closed") { $0.cause(of: pair.server) }
        #expect(own == .local)
    }

    @Test(
        "a blocked connection still gets its bytes when it is closed gracefully",
        arguments: RecordSealing.allCases
    )
    func closesBlocked(sealing: RecordSealing) throws {
        let net = try TestNet(sealing: sealing)
        let client = try net.client()
        let pair = try net.open(client)
        try client.run { $0.connections.pauseReading(pair.client) }
        let accepted = try net.server.run { handler -> Int in
            let block = [UInt8](repeating: 9, count: 65_536)
            var count = 0
            handler.writable = { _ in }
            while handler.connections.room(in: pair.server) > 0 || count == 0 {
                count += handler.write(block, to: pair.server) == .accepted ? block.count : 0
            }
            return count
        }
        try net.server.run { $0.connections.close(pair.server, .afterFlush) }
        try client.run { $0.connections.resumeReading(pair.client) }
        let cause = try client.log.wait("closed") { $0.cause(of: pair.client) }
        #expect(cause == .peer)
        #expect(client.log.all.bytes(from: pair.client).count == accepted)
    }

    @Test(
        "an end that comes behind the last end of a turn is followed by one more",
        arguments: [false, true],
        RecordSealing.allCases
    )
    func followsLastEnd(andStops: Bool, sealing: RecordSealing) throws {
        let net = try TestNet(sealing: sealing)
        let client = try net.client()
        let pair = try net.open(client)
        net.server.post { handler in
            handler.logsEnds = true
            handler.ending = {
                if andStops { handler.connections.stop(withinMilliseconds: 0) }
                handler.connections.close(pair.server, .atOnce)
            }
        }
        if andStops { net.server.join() }
        let events = try net.server.log.wait("the end of its turn") { events in
            events.contains(.turnEnded) ? events : nil
        }
        let closed = events.firstIndex(of: .closed(pair.server, .local))
        let ended = events.firstIndex(of: .turnEnded)
        #expect(closed != nil && ended == closed.map { $0 + 1 }, "\(events)")
    }

    @Test(
        "closing at once looks like a lost connection to the peer",
        arguments: RecordSealing.allCases
    )
    func closesAtOnce(sealing: RecordSealing) throws {
        let net = try TestNet(sealing: sealing)
        let client = try net.client()
        let pair = try net.open(client)
        try net.server.run { $0.connections.close(pair.server, .atOnce) }
        let cause = try client.log.wait("closed") { $0.cause(of: pair.client) }
        #expect(cause == .lost(code: 0))
        #expect(try net.server.log.wait("closed") { $0.cause(of: pair.server) } == .local)
    }

    @Test(
        "the end of the stream does not overtake the bytes before it",
        arguments: RecordSealing.allCases
    )
    func deliversBeforeTheEnd(sealing: RecordSealing) throws {
        let net = try TestNet(sealing: sealing)
        let client = try net.client()
        let pair = try net.open(client)
        try client.run { handler in
            handler.write([1, 2, 3], to: pair.client)
            handler.connections.close(pair.client, .afterFlush)
        }
        _ = try net.server.log.wait("closed") { $0.cause(of: pair.server) }
        let events = net.server.log.all
        #expect(
            events.suffix(2) == [
                .received(pair.server, [1, 2, 3]), .closed(pair.server, .peer),
            ]
        )
    }

    @Test(
        "openssl s_client sees close_notify and ends well",
        .enabled(if: OpenSSLClient.isInstalled),
        arguments: RecordSealing.allCases
    )
    func interoperates(sealing: RecordSealing) throws {
        let net = try TestNet(sealing: sealing)
        let files = try TemporaryDirectory()
        let ca = try files.file("ca.pem", net.authority.root.bytes)
        try net.server.run { handler in
            handler.received = { [unowned handler] connection, bytes in
                handler.write(bytes, to: connection)
                if bytes.contains(UInt8(ascii: "Z")) {
                    handler.connections.close(connection, .afterFlush)
                }
            }
        }
        let client = try OpenSSLClient(
            net.address,
            [
                "-alpn", "belfry/1", "-CAfile", ca, "-verify_return_error", "-servername",
                "localhost", "-verify_hostname", "localhost", "-state",
            ]
        )
        _ = try net.server.log.wait("opened") { $0.opened.first }
        try client.type("and back again Z\n")
        let result = try client.finish()
        #expect(result.text.contains("and back again Z"), "\(result.text)")
        #expect(result.text.contains("SSL3 alert read:warning:close notify"), "\(result.text)")
        #expect(result.code == 0, "\(result.text)")
    }

    @Test(
        "key updates asked for by the peer are answered, and data goes on under the new keys",
        arguments: RecordSealing.allCases
    )
    func updatesKeys(sealing: RecordSealing) throws {
        let net = try TestNet(sealing: sealing)
        try net.server.run { $0.echoes = true }
        let client = try PlainTLSClient(net.address)
        for round in UInt8(0)..<8 {
            try client.requestKeyUpdate()
            try client.write([round, 1])
            #expect(try client.read(2) == [round, 1])
        }
    }

    @Test(
        "a record that cannot be opened ends the connection as a TLS failure",
        arguments: RecordSealing.allCases
    )
    func refusesBrokenRecords(sealing: RecordSealing) throws {
        let net = try TestNet(sealing: sealing)
        let client = try PlainTLSClient(net.address)
        try client.write([1])
        _ = try net.server.log.wait("bytes") { $0.isEmpty ? nil : () }
        client.breakStream()
        let id = try net.server.log.wait("opened") { $0.opened.first?.0 }
        #expect(try net.server.log.wait("closed") { $0.cause(of: id) } == .tlsFailure)
    }

    @Test(
        "a slot is used again under another name, and old names do nothing",
        arguments: RecordSealing.allCases
    )
    func reusesSlots(sealing: RecordSealing) throws {
        let net = try TestNet(sealing: sealing)
        let client = try net.client()
        var names: [ConnectionID] = []
        for round in 0..<30 {
            let pair = try net.open(client)
            names.append(pair.server)
            // Bytes and the end in one go, and writes to every earlier name.
            let old = names.dropLast()
            let results = try net.server.run { handler in
                old.map { handler.write([0xFF], to: $0) }
            }
            #expect(results.allSatisfy { $0 == .closed })
            try client.run { handler in
                handler.write([UInt8(round)], to: pair.client)
                handler.connections.close(pair.client, round % 2 == 0 ? .afterFlush : .atOnce)
            }
            _ = try net.server.log.wait("closed") { $0.cause(of: pair.server) }
            _ = try client.log.wait("closed") { $0.cause(of: pair.client) }
        }
        #expect(Set(names).count == names.count)
        #expect(Set(names.map(\.slot)).count < names.count)
        var open: Set<ConnectionID> = []
        for event in net.server.log.all {
            switch event {
            case .opened(let id, _): #expect(open.insert(id).inserted)
            case .received(let id, _), .writable(let id): #expect(open.contains(id))
            case .closed(let id, _): #expect(open.remove(id) != nil)
            case .failed, .posted, .ended, .turnEnded, .worn: Issue.record("\(event)")
            }
        }
        #expect(!client.log.all.contains { if case .received = $0 { true } else { false } })
    }

    @Test(
        "a stopping reactor waits for its connections, accepts no others and then returns",
        arguments: RecordSealing.allCases
    )
    func stops(sealing: RecordSealing) throws {
        let net = try TestNet(sealing: sealing)
        let client = try net.client()
        let pair = try net.open(client)
        try net.server.run { $0.connections.stop(withinMilliseconds: 60_000) }
        let refused = try net.connect(client)
        _ = try client.log.wait("refused") { $0.failure(of: refused) }
        try net.server.run { handler in
            handler.write([1], to: pair.server)
            handler.connections.close(pair.server, .afterFlush)
        }
        net.server.join()
        #expect(net.server.log.all.cause(of: pair.server) == .local)
        _ = try client.log.wait("closed") { $0.cause(of: pair.client) }
        #expect(client.log.all.bytes(from: pair.client) == [1])
        #expect(net.server.mailbox.post { _ in } == .closed)
    }

    @Test(
        "a reactor whose time to stop is over ends what is left",
        arguments: RecordSealing.allCases
    )
    func stopsLate(sealing: RecordSealing) throws {
        let net = try TestNet(sealing: sealing)
        let client = try net.client()
        let pair = try net.open(client)
        try net.server.run { $0.connections.stop(withinMilliseconds: 50) }
        net.server.join()
        #expect(net.server.log.all.cause(of: pair.server) == .stopped)
    }
}
