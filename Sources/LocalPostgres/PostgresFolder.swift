import Foundation

/// A PostgreSQL of Debian's programs with a folder of its own: its place, and the lines that run
/// its programs.
///
/// PostgreSQL refuses to run as root; the user `postgres` runs it then. The caller runs each line,
/// and ends the server.
package struct PostgresFolder: Sendable {
    /// The server's superuser.
    package static let user = "belfry"

    /// The folder of the programs of Debian's newest release; nil where there is none.
    package static var programs: String? {
        let releases = "/usr/lib/postgresql"
        // Without the folder there is none.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: releases)) ?? []
        return names.compactMap(Int.init).max().map { "\(releases)/\($0)/bin" }
    }

    /// Holds data, socket and log.
    package let path: String
    /// Of the socket, and of an address if the server listens at one.
    package let port: Int
    private let programs: String

    /// Makes an empty folder below the temporary one of the system.
    package init(programs: String) throws {
        self.programs = programs
        // Short, because it becomes part of a socket's path, and above all ports that are dealt out.
        let name = String(UInt32.random(in: .min ... .max), radix: 36)
        path = FileManager.default.temporaryDirectory.path + "/belfry-pg-" + name
        port = Int.random(in: 10_000..<32_000)
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755]
        )
        guard geteuid() == 0 else { return }
        try FileManager.default.setAttributes([.ownerAccountName: "postgres"], ofItemAtPath: path)
    }

    /// The server's own folder.
    package var data: String { path + "/data" }
    /// The file of its messages.
    package var log: String { path + "/log" }

    /// The settings of each of them, as `NAME=VALUE`.
    package var settings: [String] {
        [
            "port=\(port)", "unix_socket_directories=\(path)", "shared_buffers=16MB",
            "wal_retrieve_retry_interval=500ms",
            // In its folder: one that is killed leaves a mebibyte in /dev/shm otherwise.
            "dynamic_shared_memory_type=mmap",
        ]
    }

    /// Names a database of two servers; whichever is the primary is used.
    package static func url(
        _ database: String,
        of one: PostgresFolder,
        or other: PostgresFolder
    ) -> String {
        "postgres:///\(database)?user=\(user)&host=\(one.path),\(other.path)"
            + "&port=\(one.port),\(other.port)&target_session_attrs=read-write"
    }

    // MARK: Programs

    /// Makes its data, with what `access` says of signing in.
    package func initdb(_ access: [String]) -> [String] {
        line(
            ["initdb", "-D", data, "-U", Self.user, "-E", "UTF8", "--locale=C", "--no-sync"]
                + access
        )
    }

    /// Makes its data as those of a standby of another one, which runs.
    package func copy(_ primary: PostgresFolder) -> [String] {
        let source = "host=\(primary.path) port=\(primary.port) user=\(Self.user)"
        return line(["pg_basebackup", "-D", data, "-R", "-c", "fast", "-d", source])
    }

    /// Runs a statement as the superuser, over the socket.
    package func psql(_ sql: String, in database: String) -> [String] {
        line(
            ["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-h", path, "-p", "\(port)"]
                + ["-U", Self.user, "-d", database, "-c", sql]
        )
    }

    /// One of its programs with arguments, run by a user that may.
    package func line(_ arguments: [String]) -> [String] {
        var line = arguments
        line[0] = programs + "/" + line[0]
        guard geteuid() == 0 else { return line }
        let user = ["--reuid=postgres", "--regid=postgres", "--init-groups"]
        return ["/usr/bin/setpriv"] + user + line
    }

    /// Takes away the marks of a server that was killed.
    ///
    /// Where no process asks how the first one ended, PostgreSQL takes it for a running one.
    package func removeMarks() {
        for file in ["\(data)/postmaster.pid", "\(path)/.s.PGSQL.\(port).lock"] {
            // None is there when it had not begun.
            try? FileManager.default.removeItem(atPath: file)
        }
    }
}
