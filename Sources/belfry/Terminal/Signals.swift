import Foundation

/// Signals as cancellation, and as calls.
enum Signals {
    /// Cancels the task at the first of both signals.
    static func cancelling(_ task: Task<some Sendable, any Error>) -> [any DispatchSourceSignal] {
        [SIGINT, SIGTERM].map { number in calling(number) { task.cancel() } }
    }

    /// Calls `body` at each signal of a number.
    static func calling(
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
