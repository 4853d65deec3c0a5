import AppBackend
import DeviceEmulator
import Foundation
import HubClient
import HubTestSupport
import Testing

@testable import ScenarioSupport

/// `belfry backend` as a process of its own: what only the environment and signals reach.
@Suite("The app backend as a process")
struct BackendProcessTests {
    /// A backend that listens.
    private struct Running {
        let program: Program
        let port: Int
        let client: BackendClient

        func ask(
            _ method: String,
            _ path: String,
            as user: String,
            json: String? = nil
        ) async throws -> BackendExchange {
            try await client.ask(
                method,
                path,
                authorization: HostedBackend.basic(user, password: "a good password"),
                json: json
            )
        }

        func end() async throws {
            await client.close()
            program.signal(SIGTERM)
            #expect(try await program.exitCode() == 0, "\(program.errors.events)")
        }
    }

    private static func start(
        _ hub: HostedHub,
        _ arguments: [String],
        environment: [String: String] = [:],
        ca: String? = nil
    ) async throws -> Running {
        let program = try Program.belfry(
            ["backend", "--data", hub.folder.path, "--port", "0"] + arguments,
            environment: environment
        )
        let lines = try await program.output.wait(for: "where it listens") { lines in
            lines.contains { $0.hasPrefix("belfry backend: https://") }
        }
        let port = try #require(lines.last?.split(separator: ":").last.flatMap { Int($0) })
        let file = BackendFile(host: "localhost", port: port, ca: ca ?? hub.connection.ca)
        return Running(program: program, port: port, client: try BackendClient(file))
    }

    private static func add(_ user: String, _ hub: HostedHub, _ data: String) async throws {
        let command = try Program.belfry([
            "backend", "user", "add", user, "--data", hub.folder.path, "--backend-data", data,
        ])
        command.write("a good password\n")
        command.closeInput()
        #expect(try await command.exitCode() == 0, "\(command.errors.events)")
    }

    @Test("the key of secure payloads comes from the environment, and nothing of it is on the disk")
    func environmentKey() async throws {
        try await HostedHub.run { hub in
            let folder = ScenarioFolder()
            let data = folder.file("app")
            let key = String(repeating: "0f1e", count: 16)
            let place = ["--backend-data", data]
            var backend = try await Self.start(
                hub,
                place,
                environment: ["BELFRY_BACKEND_KEY": key]
            )
            try await Self.add("alice", hub, data)
            let sent = try await backend.ask(
                "POST",
                "/api/notifications",
                as: "alice",
                json: #"{"kind":"secure","to":"alice","payload":"canary of alice"}"#
            )
            #expect(sent.status == 200, "\(sent.message)")
            let answer = try JSONSerialization.jsonObject(with: Data(sent.answer))
            let id = (answer as? [String: Any])?["Id"].map { "\($0)" } ?? ""
            try await backend.end()

            let files = FileManager.default.subpaths(atPath: folder.path) ?? []
            #expect(files.contains { $0.hasSuffix("backend.sqlite") })
            #expect(!files.contains { $0.hasSuffix(".key") }, "\(files)")
            for file in files {
                let bytes = FileManager.default.contents(atPath: folder.file(file)) ?? Data()
                for secret in ["canary of alice", key] {
                    #expect(bytes.firstRange(of: Data(secret.utf8)) == nil, "\(file)")
                }
            }
            for (environment, reason) in [
                (["BELFRY_BACKEND_KEY": String(repeating: "00", count: 32)], "is not the one"),
                (["BELFRY_BACKEND_KEY": "short"], "64 hexadecimal digits"),
                ([:], "key of secure payloads"),
            ] {
                let wrong = try Program.belfry(
                    ["backend", "--data", hub.folder.path, "--port", "0"] + place,
                    environment: environment
                )
                #expect(try await wrong.exitCode() == 1)
                #expect(
                    wrong.errors.events.joined().contains(reason),
                    "\(environment.keys) \(wrong.errors.events)"
                )
            }
            backend = try await Self.start(
                hub,
                place,
                environment: ["BELFRY_BACKEND_KEY": key]
            )
            let read = try await backend.ask("GET", "/api/notifications/\(id)", as: "alice")
            #expect(read.status == 200)
            let text = String(decoding: read.answer, as: UTF8.self)
            #expect(text.contains("canary of alice"), "\(text)")
            try await backend.end()
        }
    }

    @Test("SIGHUP has a renewed certificate read; a broken one leaves the old one, and says so")
    func hangup() async throws {
        let other = try await HostedHub()
        try await HostedHub.run { hub in
            let folder = ScenarioFolder()
            func put(_ from: HostedHub) throws {
                for name in ["server.pem", "server-key.pem"] {
                    let text = try String(
                        contentsOfFile: from.folder.file("tls/\(name)"),
                        encoding: .utf8
                    )
                    try folder.write(text, to: name)
                }
            }
            try put(hub)
            let backend = try await Self.start(
                hub,
                [
                    "--backend-data", folder.file("app"),
                    "--certificate", folder.file("server.pem"),
                    "--key", folder.file("server-key.pem"),
                ]
            )
            let path = "/api/notifications/1"
            #expect(try await backend.ask("GET", path, as: "nobody").status == 401)
            try folder.write("no certificate", to: "server.pem")
            backend.program.signal(SIGHUP)
            try await backend.program.errors.wait(for: "a complaint") { lines in
                lines.contains { $0.contains("certificate not reloaded, the old one stays") }
            }
            #expect(try await backend.ask("GET", path, as: "nobody").status == 401)
            let file = BackendFile(
                host: "localhost",
                port: backend.port,
                ca: other.connection.ca
            )
            let trusting = try BackendClient(file)
            await #expect(throws: PhoneFault.self) {
                _ = try await trusting.ask("GET", path, authorization: nil)
            }
            try put(other)
            backend.program.signal(SIGHUP)
            // A client that trusts the other authority alone is answered once it is read.
            let status = try await eventually("an answer") {
                // Refused until then.
                try? await trusting.ask("GET", path, authorization: nil).status
            }
            #expect(status == 401)
            await trusting.close()
            try await backend.end()
        }
        try await other.stop()
    }
}
