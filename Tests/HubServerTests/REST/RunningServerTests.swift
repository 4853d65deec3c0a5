import Foundation
import HubData
import HubEndpoint
import HubRules
@testable import HubServer
import HubTestSupport
import HubTransport
import HubVocabulary
import Testing

@Suite("A running server", .timeLimit(.minutes(1)))
struct RunningServerTests {
    @Test("leaves only files of its owner's, and takes connection.json with it")
    func files() async throws {
        let hub = try await RunningHub()
        #expect(hub.place.everything.contains("connection.json"))
        #expect(hub.place.everything.contains { $0.hasSuffix("-wal") })
        for name in [""] + hub.place.everything {
            let isFolder = try hub.place.isFolder(name)
            #expect(try hub.place.mode(name) == (isFolder ? 0o700 : 0o600), "\(name)")
        }
        try await hub.stop()
        #expect(!hub.place.everything.contains("connection.json"))
    }

    @Test("goes on where it stopped, under the same keys")
    func restart() async throws {
        let place = TemporaryFolder()
        var strings: [ConnectionFile.ConnectionStrings] = []
        for _ in 0..<2 {
            let hub = try await RunningHub { $0.data = place.path }
            strings.append(hub.connection.connectionStrings)
            try await hub.stop()
        }
        let keys = strings.map { $0.full.split(separator: ";").last }
        #expect(keys[0] == keys[1])
    }

    @Test("lets nobody share its folder, and a start that fails half way leaves nothing behind")
    func failedStart() async throws {
        let hub = try await RunningHub()
        var options = ServerOptions(data: hub.place.path)
        options.rest.port = 0
        options.devices.port = 0
        let second = try #require(throws: ServerError.self) {
            _ = try BelfryServer(options, logger: RunningHub.silent)
        }
        #expect("\(second)" == "\(hub.place.path) is in use by another belfry process")
        // The port is taken: the folder is free again at once.
        let place = TemporaryFolder()
        options.data = place.path
        options.devices.port = Int(hub.connection.devices.port)
        for _ in 0..<2 {
            let error = try #require(throws: ServerError.self) {
                _ = try BelfryServer(options, logger: RunningHub.silent)
            }
            guard case .listener(name: "device", _) = error else {
                Issue.record("\(error)")
                return
            }
        }
        // The second hub's store does not open: the first one's is closed again.
        let other = TemporaryFolder()
        options.data = other.path
        options.devices.port = 0
        options.hubs = ["a", "b"]
        let broken = try BelfryServer(options, logger: RunningHub.silent)
        await broken.close()
        try other.write("no database at all, but long enough to look at", to: "hubs/b/state.sqlite")
        for _ in 0..<2 {
            let error = try #require(throws: ServerError.self) {
                _ = try BelfryServer(options, logger: RunningHub.silent)
            }
            guard case .store(hub: "b", _) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(!"\(error)".contains("\n"))
        }
        try await hub.stop()
    }

    @Test("says in one line that REST's port is taken, and ends")
    func restPortTaken() async throws {
        let hub = try await RunningHub()
        let port = Int(hub.connection.rest.port)
        do {
            let other = try await RunningHub { $0.rest.port = port }
            try await other.stop()
            Issue.record("two servers on port \(port)")
        } catch let error as ServerError {
            #expect("\(error)".hasPrefix("REST listener: "))
        }
        try await hub.stop()
    }

    @Test("refuses addresses that others can reach, but not after confirmation")
    func publicBind() throws {
        let place = TemporaryFolder()
        for (rest, device) in [("0.0.0.0", "127.0.0.1"), ("::1", "192.0.2.1")] {
            var options = ServerOptions(data: place.path)
            options.rest.host = rest
            options.devices.host = device
            let error = try #require(throws: ServerError.self) {
                try BelfryServer.checkBind(options)
            }
            guard case .publicBind = error else {
                Issue.record("\(error)")
                continue
            }
            options.isPublicBindConfirmed = true
            try BelfryServer.checkBind(options)
        }
        for host in ["127.0.0.1", "127.8.8.8", "::1"] {
            var options = ServerOptions(data: place.path)
            options.rest.host = host
            try BelfryServer.checkBind(options)
        }
    }

    @Test("ends although REST peers are silent: before TLS, after it, in HTTP/2, in a request")
    func silentPeers() async throws {
        let hub = try await RunningHub { $0.rest.limits.closeSeconds = 1 }
        let tcp = try await PlainPeer(port: Int(hub.connection.rest.port))
        let idle = try hub.peer()
        let http2 = try hub.peer("h2")
        // The preface and an empty SETTINGS; the hub's PING is never confirmed.
        try http2.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u{4}\0\0\0\0\0")
        let half = try hub.peer()
        try half.send("POST /hub/messages HTTP/1.1\r\nHost: x\r\n")
        let answered = try hub.peer()
        try answered.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(await answered.read(until: "}").hasPrefix("HTTP/1.1 200 "))
        try await hub.stop()
        for peer in [idle, http2, half, answered] { _ = await peer.readAll() }
        tcp.close()
    }

    @Test("closes a REST connection that never begins, or never ends its head")
    func slowHead() async throws {
        let hub = try await RunningHub { options in
            options.rest.limits.handshakeSeconds = 1
            options.rest.limits.silentSeconds = 1
        }
        let idle = try hub.peer()
        #expect(await idle.readAll() == "")
        let half = try hub.peer()
        try half.send("GET /healthz HTTP/1.1\r\nHos")
        #expect(await half.readAll() == "")
        try await hub.stop()
    }

    @Test("asks for a held-back body only once the request's head is accepted")
    func expectContinue() async throws {
        let hub = try await RunningHub()
        let body = #"{"aps":{"alert":"x"}}"#
        func head(_ token: String) -> String {
            "POST /hub/messages?api-version=2020-06 HTTP/1.1\r\nHost: no host\r\n"
                + "Authorization: \(token)\r\nServiceBusNotification-Format: apple\r\n"
                + "Content-Type: application/json\r\nExpect: 100-continue\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n"
        }
        let refused = try hub.peer()
        try refused.send(head("nobody"))
        #expect(await refused.read(until: "</Error>").hasPrefix("HTTP/1.1 401 "))
        let accepted = try hub.peer()
        try accepted.send(head(try token(hub)))
        #expect(await accepted.read(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
        accepted.forget()
        try accepted.send(body)
        let answer = await accepted.read(until: "\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 201 "), "\(answer)")
        // Without a usable `Host` the address is the server's own, with the port it got.
        let place = "Location: https://localhost:\(hub.connection.rest.port)/hub/messages/"
        #expect(answer.contains(place), "\(answer)")
        try await hub.stop()
    }

    private func token(_ hub: RunningHub) throws -> String {
        let fields = hub.connection.connectionStrings.full.split(separator: ";").map {
            $0.split(separator: "=", maxSplits: 1)
        }
        return SharedAccessSigner(
            keyName: AccessRule.fullName,
            key: String(try #require(fields.last?.last))
        ).token(for: "https://localhost/hub", expiry: Clock.now.time.adding(seconds: 600))
    }

    @Test("shows a new certificate after a reload, and the old one when the new is broken")
    func reload() async throws {
        let hub = try await RunningHub()
        func subject(_ port: Int, _ protocols: String) async -> String? {
            let line =
                "openssl s_client -connect 127.0.0.1:\(port) -alpn \(protocols) </dev/null "
                + "2>/dev/null | openssl x509 -noout -subject -nameopt RFC2253"
            return await Blocking.run { try? Tool.run("/bin/sh", ["-c", line]).text }
        }
        let ports = [
            (Int(hub.connection.rest.port), "http/1.1"),
            (Int(hub.connection.devices.port), "belfry/1"),
        ]
        for (port, name) in ports { #expect(await subject(port, name) == "subject=CN=Belfry\n") }
        let (key, file) = (hub.place.file("new-key.pem"), hub.place.file("new.pem"))
        try Tool.certificate("Renewed", key: key, in: file)
        try hub.place.write(try hub.place.text("new-key.pem"), to: "tls/server-key.pem")
        // The key alone does not fit the certificate.
        hub.server.reloadCertificate()
        _ = await hub.server.reports()
        for (port, name) in ports { #expect(await subject(port, name) == "subject=CN=Belfry\n") }
        try hub.place.write(try hub.place.text("new.pem"), to: "tls/server.pem")
        hub.server.reloadCertificate()
        // Answered behind the certificate in each shard's mailbox.
        _ = await hub.server.reports()
        for (port, name) in ports { #expect(await subject(port, name) == "subject=CN=Renewed\n") }
        try await hub.stop()
    }

    @Test("answers questions about its shards, also after its end")
    func reports() async throws {
        let hub = try await RunningHub()
        #expect(await hub.server.reports().count == 2)
        try await hub.stop()
        #expect(await hub.server.reports().isEmpty)
        await hub.server.close()
    }

    @Test("that was never run is closed like one that was")
    func closed() async throws {
        let place = TemporaryFolder()
        var options = ServerOptions(data: place.path)
        options.devices.port = 0
        do {
            let server = try BelfryServer(options, logger: RunningHub.silent)
            await server.close()
        }
        _ = try DataFolder(path: place.path)
    }
}
