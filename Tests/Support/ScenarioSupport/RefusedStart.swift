import HubTestSupport
import Testing

/// A hub that does not start, and says why.
enum RefusedStart {
    /// Starts, and expects one line with these words and exit code 1.
    static func expect(
        _ arguments: [String],
        _ words: [String],
        level: String? = "error",
        environment: [String: String] = [:],
        _ location: SourceLocation = #_sourceLocation
    ) async throws {
        var all = ["serve", "--until-stdin-closes"]
        if let level { all += ["--log-level", level] }
        if !arguments.contains("--rest-port") { all += ["--rest-port", "0"] }
        if !arguments.contains("--device-port") { all += ["--device-port", "0"] }
        let program = try Program.belfry(all + arguments, environment: environment)
        let code = try await program.exitCode()
        #expect(code == 1, "\(program.errors.events)", sourceLocation: location)
        #expect(program.output.events == [], sourceLocation: location)
        #expect(
            program.errors.events.count == 1,
            "\(program.errors.events)",
            sourceLocation: location
        )
        let line = program.errors.events.joined(separator: "\n")
        #expect(line.hasPrefix("Error: ") && line.count < 400, "\(line)", sourceLocation: location)
        for word in words { #expect(line.contains(word), "\(line)", sourceLocation: location) }
    }
}

extension RunningHub {
    /// The folder of a hub that has run and holds a registration and a notification.
    static func usedFolder() async throws -> ScenarioFolder {
        let hub = try await RunningHub.start()
        try await hub.connection.stillWorks()
        #expect(try await hub.terminate() == 0)
        return hub.folder
    }
}
