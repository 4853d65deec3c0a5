import Foundation

/// Runs a program of the machine to its end.
package enum Tool {
    /// Returns its exit code, and everything that it printed.
    /// - Throws: `Overdue` when it had to be killed.
    package static func run(
        _ path: String,
        _ arguments: [String],
        within limit: Duration = .seconds(60)
    ) throws -> (code: Int32, text: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        let output = try Spawning.alone {
            let output = Pipe()
            process.standardOutput = output
            process.standardError = output
            process.standardInput = FileHandle.nullDevice
            try process.run()
            return output
        }
        return try process.end(writing: output, within: limit)
    }

    /// Runs `openssl` with the words of a line and then the files, which may have spaces.
    package static func openssl(
        _ line: String,
        _ files: String...
    ) throws -> (code: Int32, text: String) {
        try run("/usr/bin/openssl", line.split(separator: " ").map(String.init) + files)
    }

    /// Makes a key on P-256 and a certificate of a subject, or of one name, that it signs itself.
    /// - Throws: `Failed` with what `openssl` said.
    package static func certificate(
        _ subject: String,
        names: String? = nil,
        key: String,
        in file: String
    ) throws {
        let names = names.map { "-addext subjectAltName=\($0) " } ?? ""
        let made = try openssl(
            "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 "
                + "-subj /CN=\(subject) \(names)-keyout",
            key,
            "-out",
            file
        )
        guard made.code == 0 else { throw Failed(description: made.text) }
    }

    /// A program did not do its work.
    package struct Failed: Error, CustomStringConvertible {
        /// What it said.
        package let description: String
    }
}
