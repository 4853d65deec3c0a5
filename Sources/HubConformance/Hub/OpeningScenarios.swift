import HubWire

/// TLS, HELLO, WELCOME and credentials.
enum OpeningScenarios {
    static let all: [Scenario<HubUnderTest>] = tls + hello + tokens + proofs

    private static let tls: [Scenario<HubUnderTest>] = [
        Scenario("tls-1.3", ["F-1"]) { hub throws(KitFault) in
            let device = KitDevice(hub)
            try device.open()
            let version = device.link?.version ?? ""
            try expect(version == "TLSv1.3", "TLS 1.3", came: version)
            try expect(device.link?.hasProtocol == true, "ALPN belfry/1", came: "another")
            try device.ping()
            try expect(device.link?.canResume == false, "no session ticket", came: "a ticket")
        },
        Scenario("tls-1.2-refused", ["F-1"]) { hub throws(KitFault) in
            try refuses(hub, .oldVersion, "no handshake with TLS 1.2")
        },
        Scenario("alpn-missing", ["F-1"]) { hub throws(KitFault) in
            try refuses(hub, .protocols([]), "no handshake without ALPN")
        },
        Scenario("alpn-other", ["F-1"]) { hub throws(KitFault) in
            try refuses(hub, .protocols(["h2", "http/1.1"]), "no handshake with another ALPN")
        },
        Scenario("plain-text", ["F-1"]) { hub throws(KitFault) in
            let socket = try KitSocket.connect(host: hub.host, port: hub.port)
            socket.send(Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
            let end = socket.readToEnd(within: 12_000)
            try expect(end.isClosed, "a close", came: "an open connection")
            // At most an alert comes back.
            try expect(
                end.bytes.isEmpty || end.bytes[0] == 0x15,
                "nothing, or a TLS alert",
                came: KitHex.short(end.bytes)
            )
        },
    ]

    private static func refuses(
        _ hub: HubUnderTest,
        _ oddity: KitTLS.Oddity,
        _ expected: String
    ) throws(KitFault) {
        let link = try KitTLS.connect(
            over: KitSocket.connect(host: hub.host, port: hub.port),
            trusting: hub.authorities,
            name: hub.host,
            oddity
        )
        guard let link else { return }
        // A hub may tell a client of TLS 1.3 after the client's own handshake.
        let heard = link.read(within: KitDevice.patience)
        guard case .closed = heard else {
            throw .broken(expected: expected, came: "\(link.version), \(heard)")
        }
    }

    private static let hello: [Scenario<HubUnderTest>] = [
        Scenario("welcome", ["S-1", "A-2"]) { hub throws(KitFault) in
            let device = KitDevice(hub)
            let welcome = try device.open()
            try expect(
                welcome.deviceKey.count == 32 && welcome.resume == .fresh && welcome.etag == 0,
                "FRESH, etag 0 and a key of 32 bytes for a token",
                came: "\(welcome.resume), etag \(welcome.etag), \(welcome.deviceKey.count) bytes"
            )
            let other = KitDevice(hub)
            try other.open()
            try expect(
                other.identity != device.identity,
                "another identity for each token",
                came: "the same device_id"
            )
        },
        Scenario("shows-no-position-with-token", ["A-2"]) { hub throws(KitFault) in
            let device = KitDevice(hub)
            let welcome = try device.open {
                $0.position = Position(epoch: 7, sequence: 9, check: 1)
            }
            try expect(welcome.resume == .fresh, "FRESH", came: "\(welcome.resume)")
        },
        Scenario("early-ping", ["S-1"]) { hub throws(KitFault) in
            let device = KitDevice(hub)
            try device.connect()
            var bytes = try device.hello()
            PingFrame(nextSeconds: 300, token: 7).encode(into: &bytes)
            device.say(bytes)
            _ = try device.welcomed()
            _ = try device.expect(.pong, "PONG for a PING that came before WELCOME")
        },
        Scenario("too-early", ["S-1"]) { hub throws(KitFault) in
            let device = KitDevice(hub)
            try device.connect()
            var bytes = try device.hello()
            let padding: [UInt8] = [0x80, 0, 0, 0, 0, 0, 0x03, 0xF8]
            for _ in 0..<32 { bytes += padding + [UInt8](repeating: 0, count: 1_016) }
            device.say(bytes)
            // A hub that answers at once has read HELLO alone before.
            let heard = device.next()
            if case .frame(let frame) = heard, frame.type == .welcome { return }
            try expectError(heard, [.wrongState], device)
        },
        Scenario("hub-name-in-any-case", ["F-11", "A-1"]) { hub throws(KitFault) in
            try KitDevice(hub).open { $0.hub = hub.hub.uppercased() }
        },
        Scenario("unknown-hub", ["A-1", "E-1"]) { hub throws(KitFault) in
            for name in ["no-such-hub-\(UInt32.random(in: 0 ... .max))", ""] {
                try refuses(hub, [.unknownHub]) { $0.hub = name }
            }
        },
        Scenario("minor-versions", ["V-1"]) { hub throws(KitFault) in
            try refuses(hub, [.versionUnsupported]) {
                $0.minorMin = 1
                $0.minorMax = 9
            }
            try KitDevice(hub).open { $0.minorMax = 9 }
        },
        Scenario("capabilities", ["V-3", "V-4"]) { hub throws(KitFault) in
            let asked = Capabilities(rawValue: 1 << 40 | 1 << 63 | 1 << 0 | 1 << 7)
            let welcome = try KitDevice(hub).open { $0.capabilities = asked }
            let known = welcome.capabilities.isSubset(of: [.deflate, .transient])
            try expect(
                known,
                "a subset of bits 0 and 7",
                came: String(welcome.capabilities.rawValue, radix: 16)
            )
        },
        Scenario("keepalive-within-bounds", ["K-2"]) { hub throws(KitFault) in
            for seconds: UInt16 in [77, 800] {
                let welcome = try KitDevice(hub).open {
                    $0.keepaliveMin = seconds
                    $0.keepaliveMax = seconds
                }
                try expect(
                    welcome.keepalive == seconds,
                    "keepalive \(seconds)",
                    came: "\(welcome.keepalive)"
                )
            }
        },
        Scenario("return-times", ["C-5"]) { hub throws(KitFault) in
            let pace = try KitDevice(hub).open().limits.returning
            try expect(
                pace.spread <= pace.longest,
                "return_spread_ms at most return_max_ms",
                came: "\(pace.spread) and \(pace.longest)"
            )
        },
        Scenario("silence", ["S-2"], seconds: 12) { hub throws(KitFault) in
            let device = KitDevice(hub)
            try device.connect()
            try device.refused(with: [.handshakeTimeout], within: 15_000)
        },
        Scenario("half-a-frame", ["S-2"], seconds: 22) { hub throws(KitFault) in
            let device = KitDevice(hub)
            try device.open()
            device.say([0x10, 0, 0, 1, 0, 0, 0, 30, 0])
            try device.refused(with: [.frameTimeout], within: 30_000)
        },
        Scenario("no-handshake", ["S-2"], seconds: 12) { hub throws(KitFault) in
            let socket = try KitSocket.connect(host: hub.host, port: hub.port)
            let end = socket.readToEnd(within: 15_000)
            try expect(
                end.isClosed && end.bytes.isEmpty,
                "a close without words within 10 s",
                came: end.isClosed ? KitHex.short(end.bytes) : "an open connection"
            )
        },
    ]

    private static let tokens: [Scenario<HubUnderTest>] = [
        Scenario("no-credentials", ["A-1"]) { hub throws(KitFault) in
            try refuses(hub, [.authRequired], token: "") { $0.authMethod = .none }
            try refuses(hub, [.authRequired], token: "")
        },
        Scenario("client-certificate-missing", ["A-1"]) { hub throws(KitFault) in
            try refuses(hub, [.authRequired], token: "") { $0.authMethod = .clientCertificate }
        },
        Scenario("method-4", ["A-1"]) { hub throws(KitFault) in
            let device = KitDevice(hub)
            try device.connect()
            // No message has a reserved method: the byte stands 86 behind the header.
            var bytes = try device.hello()
            bytes[8 + 86] = 4
            device.say(bytes)
            try device.refused(with: [.unsupported])
        },
        Scenario("expired-token", ["A-1"]) { hub throws(KitFault) in
            try refuses(hub, [.authExpired], token: hub.needed(.expired))
        },
        Scenario("token-without-listen", ["A-1"]) { hub throws(KitFault) in
            try refuses(hub, [.forbidden], token: hub.needed(.sendOnly))
        },
        Scenario("forged-token", ["A-1"]) { hub throws(KitFault) in
            try refuses(hub, [.authFailed], token: hub.needed(.forged))
            try refuses(hub, [.authFailed], token: "no token at all")
        },
        Scenario("token-with-device-id", ["A-1"]) { hub throws(KitFault) in
            try refuses(hub, [.authFailed]) { $0.deviceID = ID16(high: 1, low: 2) }
        },
    ]

    private static let proofs: [Scenario<HubUnderTest>] = [
        Scenario("proof", ["A-3"]) { hub throws(KitFault) in
            let device = KitDevice(hub)
            let first = try device.open()
            let second = try device.open()
            try expect(
                second.deviceKey.isEmpty && second.deviceID == first.deviceID
                    && second.handle == first.handle,
                "the same device_id and handle, and no key",
                came: "device_key of \(second.deviceKey.count) bytes"
            )
        },
        Scenario("proof-of-another-connection", ["A-3"]) { hub throws(KitFault) in
            try refusesProof(hub, exporter: [UInt8](repeating: 0, count: 32))
        },
        Scenario("proof-with-another-key", ["A-3"]) { hub throws(KitFault) in
            try refusesProof(hub, key: [UInt8](repeating: 1, count: 32))
        },
        Scenario("proof-of-an-unknown-device", ["A-3"]) { hub throws(KitFault) in
            try refusesProof(hub, identity: ID16(high: 3, low: 4))
        },
        Scenario("client-certificate", ["A-4"]) { hub throws(KitFault) in
            let certificate = try lent(hub)
            let device = KitDevice(hub)
            try device.connect(showing: certificate)
            guard let id = KeyName.id(ofCertificate: certificate.chain) else {
                throw .setup("the client certificate cannot be read")
            }
            device.say(
                try device.hello(token: "") { hello in
                    hello.authMethod = .clientCertificate
                    hello.deviceID = id
                }
            )
            let welcome = try device.welcomed()
            try expect(welcome.deviceKey.isEmpty, "no device_key", came: "a key")
            let result = try device.register(["certified"])
            try expect(result.status == 0, "RESULT 0 to REGISTER", came: "\(result.status)")
        },
        Scenario("client-certificate-with-auth", ["A-1"]) { hub throws(KitFault) in
            let certificate = try lent(hub)
            let device = KitDevice(hub)
            try device.connect(showing: certificate)
            device.say(
                try device.hello(token: "x") { hello in
                    hello.authMethod = .clientCertificate
                    hello.deviceID = KeyName.id(ofCertificate: certificate.chain) ?? .zero
                }
            )
            try device.refused(with: [.authFailed])
        },
        Scenario("client-certificate-unknown", ["A-4"]) { hub throws(KitFault) in
            _ = try lent(hub)
            let stranger = try KitCertificate(names: ["device"])
            let device = KitDevice(hub)
            try device.connect(showing: stranger.identity)
            device.say(
                try device.hello(token: "") { hello in
                    hello.authMethod = .clientCertificate
                    hello.deviceID = KeyName.id(ofCertificate: stranger.identity.chain) ?? .zero
                }
            )
            try device.refused(with: [.authFailed])
        },
    ]

    private static func lent(
        _ hub: HubUnderTest
    ) throws(KitFault) -> (chain: [UInt8], key: [UInt8]) {
        guard let certificate = hub.certificate else {
            throw .notPlayed("name a certificate that the hub trusts with --client-certificate")
        }
        return certificate
    }

    private static func refusesProof(
        _ hub: HubUnderTest,
        key: [UInt8]? = nil,
        exporter: [UInt8]? = nil,
        identity: ID16? = nil
    ) throws(KitFault) {
        let device = KitDevice(hub)
        try device.open()
        if let identity { device.identity = identity }
        try device.connect()
        device.say(try device.hello(key: key, exporter: exporter))
        try device.refused(with: [.authFailed])
    }

    private static func refuses(
        _ hub: HubUnderTest,
        _ numbers: [ErrorNumber],
        token: String? = nil,
        _ change: (inout HelloMessage) -> Void = { _ in }
    ) throws(KitFault) {
        let device = KitDevice(hub)
        try device.connect()
        device.say(try device.hello(token: token, change))
        try device.refused(with: numbers)
    }

    private static func expectError(
        _ heard: FrameEar.Heard,
        _ numbers: [ErrorNumber],
        _ device: KitDevice
    ) throws(KitFault) {
        guard case .frame(let frame) = heard, frame.type == .error else {
            throw .broken(expected: "ERROR \(numbers[0].name)", came: heard.description)
        }
        let error = try device.read(frame) { body, header throws(WireError) in
            try ErrorFrame(decoding: body, header: header)
        }
        try expect(
            numbers.contains { $0.rawValue == error.code },
            "ERROR \(numbers[0].name)",
            came: frame.description
        )
    }
}
