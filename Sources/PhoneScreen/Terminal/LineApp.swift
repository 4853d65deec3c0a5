import DeviceEmulator
import Foundation

/// The app as lines of input and output, whatever they are.
enum LineApp {
    /// Runs until its input ends, or the task is cancelled; whether everything was done.
    static func run(
        _ start: AppStart,
        show: @escaping @Sendable (PhoneLine) -> Void,
        reading: @escaping @Sendable (PhoneApp, AsyncStream<String>, AppOutcome) async -> Void
    ) async throws -> Bool {
        let outcome = AppOutcome()
        let app = try PhoneApp(start.configuration) { line in
            outcome.receive(line)
            show(line)
        }
        let task = Task { () throws -> Void in
            try await start.begin(app)
            await reading(app, inputLines(), outcome)
        }
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        await app.closeInOrder()
        try result.get()
        // A person has seen it, and who ends the app by a signal asks for nothing more.
        return isatty(STDIN_FILENO) == 1 || Task.isCancelled || !outcome.hasFailed
    }

    /// The lines of standard input, read on a thread of their own.
    private static func inputLines() -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream<String>.makeStream()
        Thread.detachNewThread {
            while let line = readLine() { continuation.yield(line) }
            continuation.finish()
        }
        return stream
    }
}
