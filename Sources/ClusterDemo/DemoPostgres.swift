import DeviceEmulator
import Foundation

/// A PostgreSQL of Debian's programs in a folder of its own: a Unix socket, and no service.
///
/// It refuses to run as root; the user `postgres` runs it then. It ends with this process.
final class DemoPostgres {
    /// Holds data, socket and log.
    let folder: String
    let port: Int
    private let launcher: Launcher
    private let programs: String
    private var server: ChildProgram?

    private static let user = "belfry"
    private static let database = "hubs"
    private static let patience: Duration = .seconds(60)

    /// Makes a server with a database, or another's standby, and starts it.
    init(_ launcher: Launcher, standbyOf primary: DemoPostgres? = nil) async throws(ChildFault) {
        guard let programs = Self.programs() else {
            let reason = "there is none here: apt-get install postgresql"
            throw .refused(what: "PostgreSQL", reason: reason)
        }
        self.programs = programs
        var shell = launcher
        shell.path = "/bin/sh"
        self.launcher = shell
        port = Int.random(in: 10_000..<32_000)
        // Short, because it becomes part of a socket's path.
        let name = String(UInt32.random(in: .min ... .max), radix: 36)
        folder = FileManager.default.temporaryDirectory.path + "/belfry-pg-" + name
        do {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true
            )
            if geteuid() == 0 {
                try FileManager.default.setAttributes(
                    [.ownerAccountName: "postgres"],
                    ofItemAtPath: folder
                )
            }
        } catch {
            throw .refused(what: folder, reason: error.localizedDescription)
        }
        if let primary {
            try await copy(primary)
        } else {
            let access = ["--auth=trust", "-E", "UTF8", "--locale=C", "--no-sync"]
            try await run(["initdb", "-D", data, "-U", Self.user] + access)
        }
        try await start()
        if primary == nil { try await query("CREATE DATABASE \(Self.database)", in: "postgres") }
    }

    private static func programs() -> String? {
        let releases = "/usr/lib/postgresql"
        // Without the folder there is none.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: releases)) ?? []
        return names.compactMap(Int.init).max().map { "\(releases)/\($0)/bin" }
    }

    private var data: String { folder + "/data" }

    /// The URL of the database on two servers; whichever is the primary is used.
    static func url(_ one: DemoPostgres, _ other: DemoPostgres) -> String {
        "postgres:///\(database)?user=\(user)&host=\(one.folder),\(other.folder)"
            + "&port=\(one.port),\(other.port)&target_session_attrs=read-write"
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
        for file in ["\(data)/postmaster.pid", "\(folder)/.s.PGSQL.\(port).lock"] {
            // None is there when it had not begun.
            try? FileManager.default.removeItem(atPath: file)
        }
    }

    /// Makes a standby the primary; its commits wait for no standby until one is named.
    func promote() async throws(ChildFault) {
        try await query("SELECT pg_promote()", in: "postgres")
        try await setStandbys("")
    }

    /// Begins anew, ended, as the standby of another.
    func follow(_ primary: DemoPostgres) async throws(ChildFault) {
        do {
            try FileManager.default.removeItem(atPath: data)
        } catch {
            throw .refused(what: data, reason: error.localizedDescription)
        }
        try await copy(primary)
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
        try? FileManager.default.removeItem(atPath: folder)
    }

    // MARK: Programs

    private func setStandbys(_ names: String) async throws(ChildFault) {
        try await query(
            "ALTER SYSTEM SET synchronous_standby_names = '\(names)'",
            in: "postgres"
        )
        try await query("SELECT pg_reload_conf()", in: "postgres")
    }

    private func copy(_ primary: DemoPostgres) async throws(ChildFault) {
        let source = "host=\(primary.folder) port=\(primary.port) user=\(Self.user)"
        try await run(["pg_basebackup", "-D", data, "-R", "-c", "fast", "-d", source])
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
        let settings = [
            "port=\(port)", "listen_addresses=", "unix_socket_directories=\(folder)",
            "shared_buffers=16MB", "wal_retrieve_retry_interval=500ms",
        ]
        let line =
            [programs + "/postgres", "-D", data] + settings.flatMap { ["-c", $0] }
        let log = folder + "/log"
        let made = try ChildProgram(launcher, ["-c", script, "server", log] + asUser(line))
        server = made
        let deadline = ContinuousClock.now + Self.patience
        while ContinuousClock.now < deadline {
            let ready = ["pg_isready", "-q", "-h", folder, "-p", "\(port)"]
            if try await code(of: ready).code == 0 { return }
            // As above.
            try? await Task.sleep(for: .milliseconds(100))
        }
        // Without a log the message says less.
        let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        throw .refused(what: "PostgreSQL", reason: "it does not start: \(text.suffix(500))")
    }

    @discardableResult
    private func query(_ sql: String, in database: String) async throws(ChildFault) -> String {
        let place = ["-h", folder, "-p", "\(port)", "-U", Self.user, "-d", database]
        return try await run(["psql", "-XAtq", "-v", "ON_ERROR_STOP=1"] + place + ["-c", sql])
    }

    @discardableResult
    private func run(_ arguments: [String]) async throws(ChildFault) -> String {
        let (code, text) = try await code(of: arguments)
        guard code == 0 else { throw .refused(what: arguments[0], reason: text) }
        return text
    }

    private func code(
        of arguments: [String]
    ) async throws(ChildFault) -> (code: Int32, text: String) {
        var line = arguments
        line[0] = programs + "/" + line[0]
        let program = try ChildProgram(
            launcher,
            ["-c", "exec \"$@\" 2>&1 < /dev/null", "run"] + asUser(line)
        )
        // Until its output ends.
        _ = await program.wait(Self.patience) { _ in false }
        return (program.finish(), program.lines.joined(separator: "\n"))
    }

    private func asUser(_ line: [String]) -> [String] {
        guard geteuid() == 0 else { return line }
        return ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] + line
    }
}
