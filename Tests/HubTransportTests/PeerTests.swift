import Foundation
import HubTestSupport
import HubTransport
import Testing

/// Clients of other makers, against a listener of each kind.
@Suite("Clients of other implementations")
struct PeerTests {
    private static let openssl = "/usr/bin/openssl"
    private static let gnutls = "/usr/bin/gnutls-cli"
    private static let python = "/usr/bin/python3"
    private static let script = Vectors.repository + "/Tests/Outside/Interop/records.py"

    /// A listener that echoes, and ends a connection that says Z.
    private static func echo(
        _ sealing: RecordSealing
    ) throws -> (net: TestNet, files: TemporaryDirectory, authority: String) {
        let net = try TestNet(sealing: sealing)
        let files = try TemporaryDirectory()
        let authority = try files.file("ca.pem", net.authority.root.bytes)
        try net.server.run { handler in
            let log = handler.log
            handler.received = { [unowned handler] connection, bytes in
                handler.write(bytes, to: connection)
                log.append(.received(connection, bytes))
                if bytes.last == UInt8(ascii: "\n"), bytes.contains(UInt8(ascii: "Z")) {
                    handler.connections.close(connection, .afterFlush)
                }
            }
        }
        return (net, files, authority)
    }

    /// Types a line and waits until the listener has it.
    private static func say(_ text: String, _ client: OtherClient, _ net: TestNet) throws {
        try client.type(text + "\n")
        let id = try net.server.log.wait("opened") { $0.opened.last?.0 }
        try net.server.log.wait("'\(text)'") { events in
            String(decoding: events.bytes(from: id), as: UTF8.self).contains(text) ? () : nil
        }
    }

    private static func checkHandOver(_ net: TestNet, _ sealing: RecordSealing) throws {
        let counted = try net.server.run { $0.connections.statistics }
        #expect(counted.handedOver == (sealing == .own ? counted.opened : 0))
        #expect(counted.opened > 0)
    }

    @Test(
        "openssl s_client changes keys and is answered with each suite",
        .enabled(if: OtherClient.isInstalled(openssl)),
        arguments: [
            "TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256",
        ],
        RecordSealing.allCases
    )
    func clientOfOpenSSL(suite: String, sealing: RecordSealing) throws {
        let (net, files, authority) = try Self.echo(sealing)
        defer { withExtendedLifetime(files) {} }
        let client = try OtherClient(
            Self.openssl,
            [
                "s_client", "-connect", "\(net.address)", "-alpn", "belfry/1", "-CAfile", authority,
                "-verify_return_error", "-ciphersuites", suite, "-state",
            ]
        )
        try Self.say("the first line", client, net)
        for (count, command) in ["K", "k", "K", "k"].enumerated() {
            try client.type(command + "\n")
            try client.wait(for: "KEYUPDATE", count: count + 1)
            try Self.say("line \(count) after \(command)", client, net)
            try client.wait(for: "line \(count) after \(command)")
        }
        try Self.say("the last, Z", client, net)
        // It may end before it has read our close_notify.
        #expect(try client.finish() == 0, "\(client.text)")
        try Self.checkHandOver(net, sealing)
    }

    @Test(
        "gnutls-cli changes keys and is answered with each suite",
        .enabled(if: OtherClient.isInstalled(gnutls)),
        arguments: ["AES-128-GCM", "AES-256-GCM", "CHACHA20-POLY1305"],
        RecordSealing.allCases
    )
    func clientOfGnuTLS(cipher: String, sealing: RecordSealing) throws {
        let (net, files, authority) = try Self.echo(sealing)
        defer { withExtendedLifetime(files) {} }
        let client = try OtherClient(
            Self.gnutls,
            [
                "--x509cafile", authority, "--alpn", "belfry/1", "--inline-commands", "--priority",
                "NORMAL:-VERS-ALL:+VERS-TLS1.3:-CIPHER-ALL:+\(cipher)", "--port",
                "\(net.address.port)", "localhost",
            ]
        )
        try client.wait(for: "Handshake was completed")
        try Self.say("the first line", client, net)
        for round in 1...3 {
            try client.type("^rekey^\n")
            try Self.say("line \(round) after new keys", client, net)
            try client.wait(for: "line \(round) after new keys")
        }
        try Self.say("the last, Z", client, net)
        try client.wait(for: "Peer has closed the GnuTLS connection")
        #expect(try client.finish() == 0, "\(client.text)")
        try Self.checkHandOver(net, sealing)
    }

    @Test(
        "Python's ssl reads back what it sent, whatever the fragments",
        .enabled(if: OtherClient.isInstalled(python)),
        arguments: 1...4,
        RecordSealing.allCases
    )
    func fragments(seed: Int, sealing: RecordSealing) throws {
        let (net, files, authority) = try Self.echo(sealing)
        defer { withExtendedLifetime(files) {} }
        try net.server.run { $0.received = nil }
        try net.server.run { $0.echoes = true }
        for (mode, words, cause) in [
            ("echo", "ok\n", CloseCause.peer),
            ("tamper", "SSLV3_ALERT_BAD_RECORD_MAC\n", .tlsFailure),
            ("truncate", "nothing\n", .lost(code: 0)),
        ] {
            let known = net.server.log.all.opened.count
            let client = try OtherClient(
                Self.python,
                [Self.script, "\(net.address.port)", authority, "\(seed)", mode]
            )
            #expect(try client.finish() == 0, "\(mode): \(client.text)")
            try client.wait(for: words)
            #expect(client.text == words, "\(mode), seed \(seed)")
            let id = net.server.log.all.opened[known].0
            let end = try net.server.log.wait("closed") { $0.cause(of: id) }
            #expect(end == cause, "\(mode), seed \(seed)")
        }
        try Self.checkHandOver(net, sealing)
    }
}
