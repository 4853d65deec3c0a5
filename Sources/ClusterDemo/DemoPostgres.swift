import DeviceEmulator
import Foundation
import LocalPostgres

/// A PostgreSQL with a Unix socket, and no service, which ends with this process.
final class DemoPostgres {
    private let folder: PostgresFolder
    private let launcher: Launcher
    private var server: ChildProgram?

    private static let database = "hubs"
    private static let patience: Duration = .seconds(60)

    /// Makes a server with a database, or another's standby, and starts it.
    init(_ launcher: Launcher, standbyOf primary: DemoPostgres? = nil) async throws(ChildFault) {
        guard let programs = PostgresFolder.programs else {
            let reason = "there is none here: apt-get install postgresql"
            throw .refused(what: "PostgreSQL", reason: reason)
        }
        var shell = launcher
        shell.path = "/bin/sh"
        self.launcher = shell
        do {
            folder = try PostgresFolder(programs: programs)
        } catch {
            throw .refused(what: "PostgreSQL's folder", reason: error.localizedDescription)
        }
        if let primary {
            try await run("pg_basebackup", folder.copy(primary.folder))
        } else {
            try await run("initdb", folder.initdb(["--auth=trust"]))
        }
        try await start()
        if primary == nil { try await query("CREATE DATABASE \(Self.database)", in: "postgres") }
    }

    /// The URL of the database on two servers; whichever is the primary is used.
    static func url(_ one: DemoPostgres, _ other: DemoPostgres) -> String {
        PostgresFolder.url(database, of: one.folder, or: other.folder)
    }

    // MARK: Its life

    /// Ends it as a power cut does; nothing of it is left running.
    func kill() {
        // The shell has said which process the server is.
        if let server, let first = server.lines.first, let pid = pid_t(first) {
            Foundation.kill(pid, SIGKILL)
            server.finish()
        }
        server = nil
        folder.removeMarks()
    }

    /// Makes a standby the primary; its commits wait for no standby until one is named.
    func promote() async throws(ChildFault) {
        try await query("SELECT pg_promote()", in: "postgres")
        try await setStandbys("")
    }

    /// Begins anew, ended, as the standby of another.
    func follow(_ primary: DemoPostgres) async throws(ChildFault) {
        do {
            try FileManager.default.removeItem(atPath: folder.data)
        } catch {
            throw .refused(what: folder.data, reason: error.localizedDescription)
        }
        try await run("pg_basebackup", folder.copy(primary.folder))
        try await start()
    }

    /// Has commits wait for the standby that is connected, and waits until they do.
    func requireStandby() async throws(ChildFault) {
        try await setStandbys("*")
        let deadline = ContinuousClock.now + Self.patience
        while ContinuousClock.now < deadline {
            let states = "SELECT sync_state FROM pg_stat_replication"
            if try await query(states, in: "postgres") == "sync" { return }
            // Asked again until it has connected; a cancelled run ends with its processes.
            try? await Task.sleep(for: .milliseconds(100))
        }
        throw .refused(what: "PostgreSQL's standby", reason: "it does not follow")
    }

    /// Ends it in order, and removes its folder.
    func stop() {
        server?.finish()
        server = nil
        // Files that stay lie in the temporary folder of the system, which it empties itself.
        try? FileManager.default.removeItem(atPath: folder.path)
    }

    // MARK: Programs

    private func setStandbys(_ names: String) async throws(ChildFault) {
        try await query(
            "ALTER SYSTEM SET synchronous_standby_names = '\(names)'",
            in: "postgres"
        )
        try await query("SELECT pg_reload_conf()", in: "postgres")
    }

    private func start() async throws(ChildFault) {
        // The server ends when this process closes the shell's input, or ends itself.
        let script = """
            exec 2> /dev/null
            log=$1; shift
            "$@" > "$log" 2>&1 &
            server=$!
            echo $server
            cat > /dev/null
            kill -INT $server 2> /dev/null
            wait $server
            """
        let settings = (folder.settings + ["listen_addresses="]).flatMap { ["-c", $0] }
        let line = folder.line(["postgres", "-D", folder.data] + settings)
        let made = try ChildProgram(launcher, ["-c", script, "server", folder.log] + line)
        server = made
        let deadline = ContinuousClock.now + Self.patience
        while ContinuousClock.now < deadline {
            let ready = ["pg_isready", "-q", "-h", folder.path, "-p", "\(folder.port)"]
            if try await code(of: folder.line(ready)).code == 0 { return }
            // As above.
            try? await Task.sleep(for: .milliseconds(100))
        }
        // Without a log the message says less.
        let text = (try? String(contentsOfFile: folder.log, encoding: .utf8)) ?? ""
        throw .refused(what: "PostgreSQL", reason: "it does not start: \(text.suffix(500))")
    }

    @discardableResult
    private func query(_ sql: String, in database: String) async throws(ChildFault) -> String {
        try await run("psql", folder.psql(sql, in: database))
    }

    @discardableResult
    private func run(_ name: String, _ line: [String]) async throws(ChildFault) -> String {
        let (code, text) = try await code(of: line)
        guard code == 0 else { throw .refused(what: name, reason: text) }
        return text
    }

    private func code(
        of line: [String]
    ) async throws(ChildFault) -> (code: Int32, text: String) {
        let program = try ChildProgram(
            launcher,
            ["-c", "exec \"$@\" 2>&1 < /dev/null", "run"] + line
        )
        // Until its output ends.
        _ = await program.wait(Self.patience) { _ in false }
        return (program.finish(), program.lines.joined(separator: "\n"))
    }
}
