import COpenSSL
import HubTestSupport
@testable import HubTransport
import HubVocabulary
import TLSRecords
import Testing

@Suite("Connections without an SSL object")
struct HandOverTests {
    /// A slot's record layer, byte by byte.
    private static func layer(_ slot: UInt32, _ handler: ScriptedHandler) -> [UInt8] {
        let start = unsafe UnsafeRawPointer(handler.connections.table.layer(of: slot))
        return unsafe Array(
            UnsafeRawBufferPointer(start: start, count: MemoryLayout<RecordLayer>.stride)
        )
    }

    @Test(
        "are those of the listener that was told so, and no others",
        arguments: CipherSuite.allCases
    )
    func handsOver(suite: CipherSuite) throws {
        let own = try TestNet(sealing: .own)
        let plain = try TestNet(sealing: .openSSL)
        _ = try KeyedClient(own.address, suite: suite).finish()
        _ = try KeyedClient(plain.address, suite: suite).finish()
        #expect(try own.statistics("closed") { $0.closed == 1 }.handedOver == 1)
        #expect(try plain.statistics("closed") { $0.closed == 1 }.handedOver == 0)
    }

    @Test(
        "stay with OpenSSL when the client wants other records, and work",
        .enabled(if: OpenSSLClient.isInstalled)
    )
    func staysWithOpenSSL() throws {
        let net = try TestNet(sealing: .own)
        try net.server.run { handler in
            handler.received = { [unowned handler] connection, bytes in
                handler.write([UInt8](repeating: 0x61, count: 5_000) + bytes, to: connection)
                handler.connections.close(connection, .afterFlush)
            }
        }
        let client = try OpenSSLClient(
            net.address,
            ["-alpn", "belfry/1", "-maxfraglen", "512", "-quiet"]
        )
        _ = try net.server.log.wait("opened") { $0.opened.first }
        try client.type("and that was all\n")
        let result = try client.finish()
        #expect(result.text.contains("aaaaaand that was all"), "\(result.text.suffix(200))")
        let counted = try net.statistics("closed") { $0.closed == 1 }
        #expect(counted.opened == 1 && counted.handedOver == 0)
    }

    @Test("leave no key behind")
    func wipesKeys() throws {
        let net = try TestNet(sealing: .own)
        let client = try net.client()
        let pair = try net.open(client)
        let slot = pair.server.slot
        let held = try net.server.run { Self.layer(slot, $0) }
        // Two secrets and keys of 32 bytes or more, and vectors.
        #expect(held.count { $0 != 0 } > 100)
        try client.run { $0.connections.close(pair.client, .afterFlush) }
        _ = try net.server.log.wait("closed") { $0.cause(of: pair.server) }
        // The slot is free when the next connection has it, or none.
        try eventually(blocking: "no connection") {
            try net.server.run { $0.connections.count } == 0
        }
        let left = try net.server.run { Self.layer(slot, $0) }
        #expect(left.allSatisfy { $0 == 0 })
    }

    @Test("are told when their key is nearly used up, and end when it is")
    func wearsKeys() throws {
        var limits = TransportLimits.patient
        limits.records.recordsPerKey = 20
        limits.records.recordsReserved = 5
        let net = try TestNet(limits: limits, sealing: .own)
        let client = try net.client()
        let pair = try net.open(client)
        for count in UInt8(0)..<20 {
            #expect(try net.server.run { $0.write([count], to: pair.server) } == .accepted)
            try client.log.wait("record") { events in
                events.bytes(from: pair.client).last == count ? () : nil
            }
            let isTold = net.server.log.all.contains(.worn(pair.server))
            // Told in the turn after the fifteenth record, which the next write follows.
            #expect(count >= 15 || !isTold || count == 14)
        }
        #expect(net.server.log.all.count { $0 == .worn(pair.server) } == 1)
        _ = try net.server.run { $0.write([20], to: pair.server) }
        let cause = try net.server.log.wait("closed") { $0.cause(of: pair.server) }
        #expect(cause == .tlsFailure)
        _ = try client.log.wait("closed") { $0.cause(of: pair.client) }
        #expect(client.log.all.bytes(from: pair.client) == Array(0..<20))
    }

    @Test("are refused more key updates in a minute than the rules allow")
    func limitsKeyUpdates() throws {
        let net = try TestNet(sealing: .own)
        let client = try PlainTLSClient(net.address)
        try net.server.run { $0.echoes = true }
        for round in UInt8(0)..<8 {
            try client.requestKeyUpdate()
            try client.write([round])
            #expect(try client.read(1) == [round])
        }
        try client.requestKeyUpdate()
        try client.write([9])
        let id = try net.server.log.wait("opened") { $0.opened.first?.0 }
        #expect(try net.server.log.wait("closed") { $0.cause(of: id) } == .tlsFailure)
        #expect(!net.server.log.all.bytes(from: id).contains(9))
    }

    @Test("take a record that comes byte by byte, and lose one that never ends")
    func takesDrips() throws {
        let net = try TestNet(sealing: .own)
        let slow = try KeyedClient(net.address)
        let text = (0..<200).map { UInt8($0) }
        for byte in slow.peer.seal(text) { slow.send([byte]) }
        let id = try net.server.log.wait("opened") { $0.opened.first?.0 }
        try net.server.log.wait("all") { $0.bytes(from: id) == text ? () : nil }
        slow.send(Array(slow.peer.seal(text).dropLast()))
        #expect(slow.finish().results == [])
        #expect(try net.server.log.wait("closed") { $0.cause(of: id) } == .lost(code: 0))
        // No later connection gets what it began.
        let next = try KeyedClient(net.address)
        next.send(next.peer.seal([1, 2]))
        let other = try net.server.log.wait("opened") { $0.opened.dropFirst().first?.0 }
        try net.server.log.wait("two bytes") { $0.bytes(from: other) == [1, 2] ? () : nil }
    }

    @Test(
        "answer a key update behind what the socket does not take yet, also a peer that has ended",
        arguments: [false, true]
    )
    func answersWhileBlocked(hasEnded: Bool) throws {
        let net = try TestNet(sealing: .own)
        let client = try KeyedClient(net.address)
        let id = try net.server.log.wait("opened") { $0.opened.first?.0 }
        let part = [UInt8](repeating: 0x61, count: 16_384)
        let parts = try net.server.run { handler in
            var parts = 0
            while handler.connections.write(id, part.span) == .accepted {
                parts += 1
                handler.connections.flush()
            }
            return parts
        }
        client.send(client.peer.keyUpdate(asking: true) + client.peer.seal([1]))
        client.send(client.peer.seal([1, 0], type: 21))
        if hasEnded {
            client.endWriting()
            try eventually(blocking: "the end of input") {
                try net.server.run { $0.connections.table[id.slot].flags.contains(.inputEnded) }
            }
        }
        let reception = client.finish()
        // Compared apart: what is said of a difference would be megabytes.
        let isWhole = reception.data == Array(repeatElement(part, count: parts).joined())
        #expect(isWhole, "\(reception.data.count) bytes of \(parts) parts")
        #expect(
            reception.results.suffix(2) == [.keyUpdate(isAnswerWanted: false), .closed]
        )
        #expect(try net.server.log.wait("closed") { $0.cause(of: id) } == .peer)
        #expect(net.server.log.all.bytes(from: id) == [1])
    }

    @Test("leave nothing in what OpenSSL frees")
    func wipesMemory() { #expect(belfry_wipes_memory() != 0) }

    @Test("keep what has begun of a record, and no more", arguments: [1, 4, 5, 30])
    func keepsBegunRecords(count: Int) throws {
        let net = try TestNet(sealing: .own)
        let client = try KeyedClient(net.address)
        let records = client.peer.seal([1]) + client.peer.seal([2, 3])
        client.send(Array(records.prefix(count)))
        let id = try net.server.log.wait("opened") { $0.opened.first?.0 }
        let begun = count < 23 ? count : count - 23
        try eventually(blocking: "\(begun) bytes kept") {
            try net.server.run {
                $0.connections.table[id.slot].record?.begunRecord.count ?? 0
            } == begun
        }
        client.send(Array(records.dropFirst(count)))
        try net.server.log.wait("all") { $0.bytes(from: id) == [1, 2, 3] ? () : nil }
        let hasRest = try net.server.run { $0.connections.table[id.slot].record != nil }
        #expect(!hasRest, "an idle connection has no cold part")
    }
}
