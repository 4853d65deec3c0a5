package import Foundation

/// How a test waits for the end of a child: with a limit, after which it is killed.
extension Process {
    /// Waits for its end and returns its exit code, or the number of the signal.
    /// - Throws: `Overdue` when it had to be killed.
    @discardableResult
    package func end(within limit: Duration = .seconds(60)) throws -> Int32 {
        do {
            try eventually(blocking: "the end of \(name)", within: limit) { !isRunning }
        } catch {
            kill(processIdentifier, SIGKILL)
            throw error
        }
        return terminationStatus
    }

    /// Reads everything that it and its children write into a pipe, and waits for its end.
    /// - Throws: `Overdue` when it had to be killed.
    package func end(
        writing output: Pipe,
        within limit: Duration = .seconds(60)
    ) throws -> (code: Int32, text: String) {
        let handle = output.fileHandleForReading
        let reading = ThreadWork { handle.readDataToEndOfFile() }
        do {
            let text = String(decoding: try reading.value(within: limit), as: UTF8.self)
            return (try end(within: limit), text)
        } catch {
            kill(processIdentifier, SIGKILL)
            throw error
        }
    }

    private var name: String { executableURL?.path ?? "a program" }
}
