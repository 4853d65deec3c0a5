import Foundation

/// Signals as cancellation, and as streams.
package enum Signals {
    /// Runs a body as a task that SIGINT and SIGTERM cancel.
    package static func cancelling<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await cancelling([SIGINT, SIGTERM], body)
    }

    /// Runs a body as a task that signals cancel.
    package static func cancelling<Value: Sendable>(
        _ numbers: [Int32],
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let task = Task { try await body() }
        let signals = numbers.map { number in calling(number) { task.cancel() } }
        defer { for signal in signals { signal.cancel() } }
        return try await task.value
    }

    /// Runs a body with a stream that has a value for each signal of a number; with `orEnter` also
    /// for each line that a person at the terminal ends.
    package static func streaming<Value>(
        _ number: Int32,
        orEnter: Bool = false,
        _ body: (AsyncStream<Void>) async throws -> Value
    ) async throws -> Value {
        let (stream, feed) = AsyncStream<Void>.makeStream()
        let signal = calling(number) { feed.yield() }
        defer { signal.cancel() }
        if orEnter, isatty(STDIN_FILENO) == 1 {
            // Reading in the background would stop the process; so it ends the reading alone.
            _ = Foundation.signal(SIGTTIN, SIG_IGN)
            Thread.detachNewThread { while readLine() != nil { feed.yield() } }
        }
        return try await body(stream)
    }

    /// Ends in order when standard input does: the process that started this one is gone.
    package static func endWithParent() {
        Thread.detachNewThread {
            // What it says is dropped, so it needs no limit.
            while !FileHandle.standardInput.availableData.isEmpty {}
            kill(getpid(), SIGTERM)
        }
    }

    private static func calling(
        _ number: Int32,
        _ body: @escaping @Sendable () -> Void
    ) -> any DispatchSourceSignal {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler(handler: body)
        source.resume()
        return source
    }
}
