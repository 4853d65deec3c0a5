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

    /// Runs `openssl` with these arguments.
    package static func openssl(_ arguments: String...) throws -> (code: Int32, text: String) {
        try run("/usr/bin/openssl", arguments)
    }
}
