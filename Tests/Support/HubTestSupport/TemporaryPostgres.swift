import Foundation
import LocalPostgres

/// A PostgreSQL of a test's own: a Unix socket, its own port on 127.0.0.1, and no service.
///
/// A child of ours ends it and removes the folder, also when the tests are killed.
package final class TemporaryPostgres: Sendable {
    /// A program of PostgreSQL did not do its work.
    package struct Failure: Error, CustomStringConvertible {
        /// What it said.
        package let description: String
    }

    /// The server's superuser.
    package static let user = PostgresFolder.user
    /// Where to sign in over TCP asks for this; the socket asks for nothing.
    package static let password = "correct horse/battery@staple"
    /// One server for tests that do not stop it.
    package static let shared = Result { try TemporaryPostgres() }

    /// Whether the machine has what this needs.
    package static var isInstalled: Bool { PostgresFolder.programs != nil }

    /// The data of a server that never ran: `initdb` makes them once, and each server begins with a
    /// copy.
    private final class Fresh: Sendable {
        static let data = Result { try Fresh() }

        let place: PostgresFolder
        private let janitor: Pipe

        init() throws {
            place = try TemporaryPostgres.newPlace()
            janitor = try TemporaryPostgres.janitor(of: place.path)
            let secret = place.path + "/password"
            try Data(TemporaryPostgres.password.utf8).write(to: URL(fileURLWithPath: secret))
            let access = ["--auth-local=trust", "--auth-host=scram-sha-256"]
            try TemporaryPostgres.run(place.initdb(access + ["--pwfile=\(secret)"]))
        }
    }

    /// Its place.
    let place: PostgresFolder
    private let janitor: Pipe

    /// Makes a server, or another's standby, and starts it; settings are `NAME=VALUE`.
    package init(
        _ settings: [String] = [],
        standbyOf primary: TemporaryPostgres? = nil
    ) throws {
        place = try Self.newPlace()
        janitor = try Self.janitor(of: place.path)
        if let primary {
            try Self.run(place.copy(primary.place))
        } else {
            try Self.run(["/bin/cp", "-a", try Fresh.data.get().place.data, place.data])
        }
        try start(settings)
    }

    private static func newPlace() throws -> PostgresFolder {
        guard let programs = PostgresFolder.programs else {
            throw Failure(description: "no PostgreSQL")
        }
        return try PostgresFolder(programs: programs)
    }

    deinit { try? janitor.fileHandleForWriting.close() }

    /// Holds data, socket and log.
    package var folder: String { place.path }
    /// Of the socket and of 127.0.0.1.
    package var port: Int { place.port }

    private var data: String { place.data }

    /// The URL of a database, over the socket.
    package func url(_ database: String = "postgres") -> String {
        let host = folder.replacingOccurrences(of: "/", with: "%2F")
        return "postgres://\(Self.user)@\(host):\(port)/\(database)"
    }

    /// Makes a new database and returns its URL.
    package func newDatabase() throws -> String {
        let name = "d" + String(UInt64.random(in: .min ... .max), radix: 36)
        try query("CREATE DATABASE \(name)")
        return url(name)
    }

    /// Lets machines of a network sign in without a password, and returns the URL of a new database
    /// at an address of this one; settings must have it listen there.
    package func newDatabase(for network: String, at address: String) throws -> String {
        let name = try newDatabase().split(separator: "/").last ?? ""
        let rules = data + "/pg_hba.conf"
        let known = try String(contentsOfFile: rules, encoding: .utf8)
        try Data("\(known)\nhost all all \(network) trust\n".utf8)
            .write(to: URL(fileURLWithPath: rules))
        try reload()
        return "postgres://\(Self.user)@\(address):\(port)/\(name)?sslmode=disable"
    }

    /// Runs a statement as the superuser, and returns what `psql` prints.
    @discardableResult
    package func query(_ sql: String, in database: String = "postgres") throws -> String {
        try Self.run(place.psql(sql, in: database))
    }

    // MARK: The server's life

    /// Starts it, and waits until it accepts connections.
    package func start(_ settings: [String] = []) throws {
        let own = place.settings + ["listen_addresses=127.0.0.1", "max_connections=300"]
        let options = (own + settings).map { "-c '\($0)'" }.joined(separator: " ")
        do {
            try control(["start", "-l", place.log, "-o", options])
        } catch {
            let text = (try? String(contentsOfFile: place.log, encoding: .utf8)) ?? ""
            throw Failure(description: "\(error)\n\(text.suffix(2_000))")
        }
    }

    /// Ends it in an orderly way, connections included; or at once, as the end of its machine would.
    package func stop(immediately: Bool = false) throws {
        try control(["stop", "-m", immediately ? "immediate" : "fast"])
    }

    /// Begins anew, ended, as the standby of another; its own data are gone then.
    package func follow(_ primary: TemporaryPostgres) throws {
        try FileManager.default.removeItem(atPath: data)
        try Self.run(place.copy(primary.place))
        try start()
    }

    /// Makes a standby the primary, and waits until it is.
    package func promote() throws { try control(["promote"]) }

    /// Has it read its settings again.
    package func reload() throws { try control(["reload"]) }

    /// Ends all its processes as a power cut would.
    package func kill() throws {
        let lines = try String(contentsOfFile: data + "/postmaster.pid", encoding: .utf8)
        guard let first = lines.split(separator: "\n").first, let pid = pid_t(first) else {
            throw Failure(description: "no pid in \(lines)")
        }
        // Nothing begins a process of its any more once the first is gone.
        Foundation.kill(pid, SIGKILL)
        try eventually(blocking: "the end of all processes of \(data)") {
            let left = try FileManager.default.contentsOfDirectory(atPath: "/proc")
                .compactMap { pid_t($0) }.filter { self.isOwn($0) }
            for one in left { Foundation.kill(one, SIGKILL) }
            return left.isEmpty
        }
        place.removeMarks()
    }

    /// Whether a process works in the server's folder of data, as all of a server do.
    private func isOwn(_ pid: pid_t) -> Bool {
        let folder = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/cwd")
        return folder == data
    }

    private func control(_ arguments: [String]) throws {
        try Self.run(place.line(["pg_ctl", "-D", data, "-w", "-t", "60"] + arguments))
    }

    @discardableResult
    private static func run(_ program: [String]) throws -> String {
        // A server that keeps Foundation's descriptors would hide the end of what started it.
        let closing = """
            for one in /proc/self/fd/*; do
                number=${one##*/}
                [ "$number" -le 2 ] || eval "exec $number>&-"
            done
            exec "$@"
            """
        let line = ["-c", closing, "start"] + program
        let (code, text) = try Tool.run("/bin/bash", line, within: .seconds(120))
        guard code == 0 else {
            throw Failure(description: "\(program.joined(separator: " ")): \(text)")
        }
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    /// Waits for the end of its input; then it ends the server whose data lie in the folder, and
    /// removes them.
    private static func janitor(of folder: String) throws -> Pipe {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        let script = """
            trap '' INT TERM HUP
            cat > /dev/null
            pid=$(head -n 1 "$1/data/postmaster.pid" 2> /dev/null)
            if [ -n "$pid" ] && [ "$(readlink "/proc/$pid/cwd")" = "$1/data" ]; then
                kill -QUIT "$pid"
                while [ -e "/proc/$pid/cwd/PG_VERSION" ]; do sleep 0.1; done
            fi
            rm -rf "$1"
            """
        process.arguments = ["-c", script, "janitor", folder]
        return try Spawning.alone {
            let input = Pipe()
            process.standardInput = input
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            return input
        }
    }
}
