import Foundation
import HubTestSupport
import NIOHTTP1
import Testing

@testable import ScenarioSupport

/// What a hub refuses at its start with a database: one readable line, and exit code 1.
@Suite("Starts with a database", .enabled(if: TemporaryPostgres.isInstalled))
struct DatabaseStartTests {
    private static func expectRefusal(
        _ folder: ScenarioFolder,
        _ arguments: [String],
        _ words: [String],
        environment: [String: String] = [:],
        _ location: SourceLocation = #_sourceLocation
    ) async throws {
        try await RefusedStart.expect(
            ["--data", folder.path] + arguments,
            words,
            environment: environment,
            location
        )
    }

    @Test(
        "a server that may lose commits is refused",
        arguments: ["fsync=off", "full_page_writes=off", "synchronous_commit=local"]
    )
    func unsafeServer(setting: String) async throws {
        let server = try TemporaryPostgres([setting])
        let name = String(try #require(setting.split(separator: "=").first))
        try await Self.expectRefusal(
            ScenarioFolder(),
            ["--database", try server.newDatabase()],
            ["may lose what it has committed", "set \(name) = on"]
        )
    }

    @Test("a folder belongs to one database, and a database to one folder")
    func oneToOne() async throws {
        let server = try TemporaryPostgres.shared.get()
        let url = try server.newDatabase()
        let hub = try await RunningHub.start(in: ScenarioFolder(), ["--database", url])
        try await hub.connection.stillWorks()
        #expect(try await hub.terminate() == 0)
        let folder = hub.folder
        try await Self.expectRefusal(folder, [], ["a copy", "--database postgres://"])
        let other = try server.newDatabase()
        try await Self.expectRefusal(folder, ["--database", other], ["in another database"])
        try await Self.expectRefusal(
            ScenarioFolder(),
            ["--database", url],
            ["keys are in another data folder"]
        )
        let files = try await RunningHub.usedFolder()
        try await Self.expectRefusal(
            files,
            ["--database", other],
            ["holds hub 'hub' in files", "belfry migrate --data \(files.path)"]
        )
        // It was refused without a trace: it still serves its files.
        let started = try await RunningHub.start(in: files)
        #expect(try await started.terminate() == 0)
    }

    @Test("a server that does not answer, an address without sense and a wrong password are told")
    func unreachable() async throws {
        let server = try TemporaryPostgres()
        let url = try server.newDatabase()
        let name = try #require(url.split(separator: "/").last)
        let folder = ScenarioFolder()
        let secret = "not the password"
        try folder.write(secret + "\n", to: "password")
        let tcp = "postgres://\(TemporaryPostgres.user)@127.0.0.1:\(server.port)/\(name)"
        let file = ["--database-password-file", folder.file("password")]
        try await Self.expectRefusal(folder, ["--database", tcp] + file, ["password"])
        try await Self.expectRefusal(
            folder,
            ["--database", tcp.replacing("@", with: ":\(secret.replacing(" ", with: "%20"))@")],
            ["holds a password", "PGPASSWORD"]
        )
        try await Self.expectRefusal(folder, ["--database", "mysql://a/b"], ["postgres://"])
        try server.stop()
        try await Self.expectRefusal(
            folder,
            ["--database", url],
            ["no PostgreSQL server can be reached"]
        )
    }

    @Test("the password of a file or of the environment signs in, and is shown nowhere")
    func password() async throws {
        let server = try TemporaryPostgres.shared.get()
        let name = String(try #require(server.newDatabase().split(separator: "/").last))
        let tcp = "postgres://\(TemporaryPostgres.user)@127.0.0.1:\(server.port)/\(name)"
        let folder = ScenarioFolder()
        let secret = ScenarioFolder()
        try secret.write(TemporaryPostgres.password + "\n", to: "password")
        let arguments = [
            "--database", tcp, "--database-password-file", secret.file("password"),
            "--log-level", "trace",
        ]
        let hub = try await RunningHub.start(in: folder, arguments)
        try await hub.connection.stillWorks()
        let caller = try RESTCaller(hub.connection)
        let token = try folder.metricsToken()
        let metrics = try await caller.perform(.GET, "$belfry/metrics", authorization: token)
        await caller.close()
        #expect(try await hub.terminate() == 0)
        let files = ["connection.json", "cluster.json", "namespace.json"].map { file in
            (try? String(contentsOfFile: folder.file(file), encoding: .utf8)) ?? ""
        }
        let all = hub.program.errors.events + hub.program.output.events + files + [metrics.text]
        #expect(!all.contains { $0.contains(TemporaryPostgres.password) })
        let program = try Program.belfry(
            ["serve", "--data", folder.path, "--database", tcp, "--rest-port", "0"]
                + ["--device-port", "0", "--until-stdin-closes"],
            environment: ["PGPASSWORD": TemporaryPostgres.password]
        )
        try await program.output.wait(for: "a hub that listens") { !$0.isEmpty }
        program.signal(SIGTERM)
        #expect(try await program.exitCode() == 0)
    }
}
