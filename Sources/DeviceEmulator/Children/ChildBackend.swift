import Foundation

/// An app backend in a process of its own, with a folder that goes with it.
final class ChildBackend: Sendable {
    /// Where its database lies.
    let folder: String
    private let launcher: Launcher
    private let hubData: String
    private let root: String
    private let program: ChildProgram

    /// Starts `belfry backend` beside a hub and waits until it listens.
    /// - Throws: `.notStarted`, `.silent`.
    init(_ launcher: Launcher, hubData: String, patience: Duration) async throws(ChildFault) {
        self.launcher = launcher
        self.hubData = hubData
        root =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("belfry-backend-\(UUID().uuidString)").path
        folder = root + "/app"
        program = try ChildProgram(
            launcher,
            [
                "backend", "--data", hubData, "--backend-data", folder, "--port", "0",
                "--show-requests", "--until-stdin-closes",
            ]
        )
        guard await program.wait(patience, until: { !$0.isEmpty }) else {
            stop()
            throw .silent(what: "the backend")
        }
    }

    /// Its process id.
    var pid: Int32 { program.pid }

    /// The requests that it has made to the hub.
    var requests: [RequestLine] { program.lines.dropFirst().compactMap(RequestLine.init(json:)) }

    /// Adds a user with `belfry backend user add`.
    /// - Throws: `.notStarted`, `.refused`.
    func add(_ name: String, password: String) throws(ChildFault) {
        let command = try ChildProgram(
            launcher,
            ["backend", "user", "add", name, "--data", hubData, "--backend-data", folder]
        )
        command.write(password)
        let code = command.finish()
        guard code == 0 else {
            throw .refused(what: "the user \(name)", reason: "adding ended with \(code)")
        }
    }

    /// Ends it in order and removes its folder.
    func stop() {
        program.finish()
        // Files that stay lie in the system's temporary folder, which it empties itself.
        try? FileManager.default.removeItem(atPath: root)
    }
}
