import HubClient
import HubSender
import HubServer
import HubTransport
import HubVocabulary
import HubWire
import Testing

@testable import ScenarioSupport

/// What strangers send to the device port: each gets its specific answer, nothing stays behind.
@Suite("Hostile input on the device port")
struct HostileDeviceTests {
    /// Bytes in place of HELLO, and what the hub says of them.
    struct Opening: Sendable, CustomTestStringConvertible {
        var name: String
        var error: ErrorNumber
        var bytes: @Sendable (ConnectionFile) throws -> [UInt8]

        var testDescription: String { name }
    }

    static let openings: [Opening] = [
        Opening(name: "wrong magic", error: .badMagic) { connection in
            var hello = try RawLink.hello(connection)
            hello[8] = 0x43
            return hello
        },
        Opening(name: "HTTP inside TLS", error: .wrongState) { _ in
            Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
        },
        Opening(name: "random bytes", error: .wrongState) { _ in
            [0x9F, 0x31, 0xC4, 0x77, 0x08, 0xE2, 0x5B, 0x6A, 0xD0, 0x13]
        },
        Opening(name: "another frame first", error: .wrongState) { _ in
            var ack: [UInt8] = []
            AckFrame(seq: 1).encode(into: &ack)
            return ack
        },
        Opening(name: "oversized HELLO", error: .frameTooLarge) { _ in
            [0x01, 0, 0, 0, 0, 0, 0x10, 0x01]
        },
        Opening(name: "HELLO that is too short", error: .badLength) { _ in
            [0x01, 0, 0, 0, 0, 0, 0, 90]
        },
        Opening(name: "unknown hub", error: .unknownHub) { connection in
            try RawLink.hello(connection) { $0.hub = "nowhere" }
        },
        Opening(name: "token with a wrong signature", error: .authFailed) { connection in
            try RawLink.hello(connection, token: Tokens.forged(connection))
        },
        Opening(name: "expired token", error: .authExpired) { connection in
            try RawLink.hello(connection, token: Tokens.expired(connection))
        },
        Opening(name: "token that may only send", error: .forbidden) { connection in
            try RawLink.hello(connection, token: Tokens.sendOnly(connection))
        },
        Opening(name: "no token", error: .authRequired) { connection in
            try RawLink.hello(connection, token: "") { $0.authMethod = .none }
        },
        Opening(name: "another device's id with a token", error: .authFailed) { connection in
            try RawLink.hello(connection) { $0.deviceID = ID16(high: 1, low: 2) }
        },
    ]

    @Test("every wrong opening gets its error number and a close", arguments: openings)
    func opening(_ opening: Opening) async throws {
        try await HostedHub.run { hub in
            let link = try await RawLink(hub.connection)
            await link.write(try opening.bytes(hub.connection))
            let error = try await link.refusal()
            #expect(error?.code == opening.error.rawValue, "\(String(describing: error))")
            #expect(error?.isFatal == true)
            #expect(link.frames.count == 1, "\(link.frames)")
            await hub.expectNoConnections()
            try await hub.connection.stillWorks()
        }
    }

    @Test("plain text, plain HTTP, another protocol and an early end are refused in the handshake")
    func handshakes() async throws {
        try await HostedHub.run { hub in
            for text in [
                "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "\u{0}\u{1}\u{2}\u{3}BLF1 abc",
            ] {
                let link = try await RawLink(hub.connection, .plain)
                await link.write(Array(text.utf8))
                try await link.closedByHub()
                // At most a TLS alert comes back, never a frame or a word of HTTP.
                let answer = Array(link.input.events.joined())
                #expect(answer.isEmpty || answer[0] == 0x15, "\(answer)")
            }
            for alpn in [["h2", "http/1.1"], []] {
                let link = try await RawLink(hub.connection, .tls(alpn: alpn))
                await link.write(try RawLink.hello(hub.connection))
                try await link.closedByHub()
                #expect(link.input.events == [], "\(alpn)")
            }
            let gone = try await RawLink(hub.connection, .plain)
            await gone.close()
            await hub.expectNoConnections()
            try await hub.connection.stillWorks()
        }
    }

    /// Bytes of an open session, and what the hub says of them.
    static let sessions: [Opening] = [
        Opening(name: "unknown frame", error: .unknownType) { _ in [0x7E, 0, 0, 0, 0, 0, 0, 0] },
        Opening(name: "reserved frame", error: .unknownType) { _ in [0x40, 0, 0, 1, 0, 0, 0, 0] },
        Opening(name: "oversized frame", error: .frameTooLarge) { _ in
            [0x10, 0, 0, 1, 0x7F, 0xFF, 0xFF, 0xFF]
        },
        Opening(name: "oversized extension", error: .frameTooLarge) { _ in
            [0xF0, 0, 0, 0, 0, 0, 0x40, 0x01]
        },
        Opening(name: "a frame of the hub", error: .wrongDirection) { _ in
            [0x20, 0, 0, 0, 0, 0, 0, 58]
        },
        Opening(name: "a second HELLO", error: .wrongState) { try RawLink.hello($0) },
        Opening(name: "an unknown critical flag", error: .unknownFlag) { _ in
            [0x21, 0x04, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0]
        },
        Opening(name: "an acknowledgement of what was never sent", error: .badAck) { _ in
            var ack: [UInt8] = []
            AckFrame(seq: 1_000_000).encode(into: &ack)
            return ack
        },
        Opening(name: "tags that are longer than their list", error: .badTags) { _ in
            register(tagList: [0, 1, 0, 6, 200, 0x57, 0x6F, 0x72, 0x6C, 0x64])
        },
        Opening(name: "a list that is longer than its frame", error: .badLength) { _ in
            register(tagList: [0, 1, 0xFF, 0xFF, 5, 0x57, 0x6F, 0x72, 0x6C, 0x64])
        },
        Opening(name: "more tags than bytes", error: .badTags) { _ in
            register(tagList: [0xFF, 0xFF, 0, 6, 5, 0x57, 0x6F, 0x72, 0x6C, 0x64])
        },
        Opening(name: "an empty tag", error: .badTags) { _ in
            register(tagList: [0, 2, 0, 6, 0, 4, 0x57, 0x6F, 0x72, 0x6C])
        },
    ]

    @Test(
        "every wrong frame of an open session gets its error number and a close",
        arguments: sessions
    )
    func frame(_ session: Opening) async throws {
        try await HostedHub.run { hub in
            let link = try await RawLink(hub.connection)
            try await link.open(hub.connection)
            await link.write(try session.bytes(hub.connection))
            let error = try await link.refusal()
            #expect(error?.code == session.error.rawValue, "\(String(describing: error))")
            await hub.expectNoConnections()
            try await hub.connection.stillWorks()
        }
    }

    /// What a device may ask for and does not get; the session goes on.
    @Test(
        "a registration that cannot be is refused in RESULT, and the session goes on",
        arguments: [
            ("template", ErrorNumber.invalidTemplate), ("tag", .invalidTag),
            ("protected", .forbidden), ("platform", .unsupported),
        ]
    )
    func registration(_ kind: String, _ expected: ErrorNumber) async throws {
        try await HostedHub.run { hub in
            let link = try await RawLink(hub.connection)
            try await link.open(hub.connection)
            var message = RegisterMessage(slot: 0, platform: 0, tags: [Array("World".utf8)])
            switch kind {
            case "template":
                message.template = TemplateMessage(name: "t", body: Array(#"{"aps": $(x"#.utf8))
            case "tag": message.tags = [Array("no spaces".utf8)]
            case "protected": message.tags = [Array("username:root".utf8)]
            default: message.platform = 77
            }
            var bytes: [UInt8] = []
            try message.encode(into: &bytes, ref: 7)
            message = RegisterMessage(slot: 0, platform: 0, tags: [Array("World".utf8)])
            try message.encode(into: &bytes, ref: 8)
            await link.write(bytes)
            _ = try await link.frame("both results") { $0.header.ref == 8 }
            let results = try link.frames.filter { $0.type == .result }.map { frame in
                try ResultFrame(
                    decoding: frame.bytes.span.extracting(8..<frame.bytes.count),
                    header: frame.header
                ).status
            }
            #expect(results == [expected.rawValue, 0])
            await link.close()
            await hub.expectNoConnections()
        }
    }

    @Test("frames that are never finished, and silence, are ended by the hub's deadlines")
    func neverFinished() async throws {
        try await HostedHub.run { options in
            options.devices.sessionLimits.timers.helloMilliseconds = 15_000
            options.devices.sessionLimits.timers.frameMilliseconds = 500
            options.devices.transportLimits.timers.handshakeMilliseconds = 15_000
        } _: { hub in
            let mute = try await RawLink(hub.connection, .plain)
            let silent = try await RawLink(hub.connection)
            let half = try await RawLink(hub.connection)
            await half.write(Array(try RawLink.hello(hub.connection).prefix(60)))
            let started = try await RawLink(hub.connection)
            try await started.open(hub.connection)
            await started.write([0x10, 0, 0, 1, 0, 0, 0, 30, 0])

            try await mute.closedByHub()
            #expect(try await silent.refusal()?.code == ErrorNumber.handshakeTimeout.rawValue)
            #expect(try await half.refusal()?.code == ErrorNumber.frameTimeout.rawValue)
            #expect(try await started.refusal()?.code == ErrorNumber.frameTimeout.rawValue)
            await hub.expectNoConnections()
            try await hub.connection.stillWorks()
        }
    }

    /// REGISTER of slot 0 with a tag list of the test's making.
    private static func register(tagList: [UInt8]) -> [UInt8] {
        let body: [UInt8] = [0, 0, 0, 0] + [UInt8](repeating: 0, count: 12) + tagList
        return [0x10, 0, 0, 1, 0, 0, 0, UInt8(body.count)] + body
    }
}
