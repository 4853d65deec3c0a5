import DeviceEmulator
import Foundation
import Synchronization

/// The app with lines of JSON in and out.
enum JSONApp {
    /// Runs until its input ends, or a signal comes.
    static func run(_ start: AppStart, shows trace: Bool) async throws {
        try await LineApp.run(start) { line in
            if !trace, line.event == .request { return }
            var line = line
            if !trace { line.frame = nil }
            Terminal.line(line.json)
        } reading: { app, lines, outcome in
            for await line in lines {
                do {
                    let command = try JSONDecoder().decode(
                        PhoneCommand.self,
                        from: Data(line.utf8)
                    )
                    await app.perform(command)
                } catch {
                    outcome.fail()
                    Terminal.line(PhoneLine(.done, text: "this line is no command").json)
                }
            }
        }
    }
}

/// The app with a command a line, for people and scripts.
enum PlainApp {
    /// Runs until its input ends, or a signal comes.
    static func run(_ start: AppStart) async throws {
        try await LineApp.run(start) { line in
            if let text = PlainConsole.line(line) { Terminal.line(text) }
            guard line.event == .opened else { return }
            let size = RawTerminal.size
            let rows = max(3, size.rows - 3)
            if let picture = start.show.drawn(line, columns: size.columns, rows: rows) {
                Terminal.line(picture)
            } else {
                start.show.open(line)
            }
        } reading: { app, lines, outcome in
            if isatty(STDIN_FILENO) == 1 {
                Terminal.note("type help for what there is to type")
            }
            var console = PlainConsole()
            var iterator = lines.makeAsyncIterator()
            while let line = await iterator.next() {
                switch console.receive(line) {
                case .perform(let command): await app.perform(command)
                case .say(let lines): for line in lines { Terminal.line(line) }
                case .refuse(let lines):
                    outcome.fail()
                    for line in lines { Terminal.line(line) }
                case .quit: return
                case .logIn(let user):
                    let echo = EchoSwitch()
                    if echo.isOff { Terminal.prompt("Password: ") }
                    let password = await iterator.next()
                    echo.restore()
                    guard let password else { return }
                    await app.perform(PhoneCommand(.logIn, user: user, password: password))
                }
            }
        }
    }
}

/// What became of everything that a script asked for.
private final class Outcome: Sendable {
    private let failed = Mutex(false)

    var hasFailed: Bool { failed.withLock { $0 } }

    func fail() { failed.withLock { $0 = true } }

    /// Notes a command that has failed, and a send that somebody did not get.
    func receive(_ line: PhoneLine) {
        switch line.event {
        case .done: if line.text != nil { fail() }
        case .sent: if line.text?.isEmpty == false { fail() }
        default: break
        }
    }
}

/// What both have in common.
private enum LineApp {
    static func run(
        _ start: AppStart,
        show: @escaping @Sendable (PhoneLine) -> Void,
        reading: @escaping @Sendable (PhoneApp, AsyncStream<String>, Outcome) async -> Void
    ) async throws {
        let outcome = Outcome()
        let app = try PhoneApp(start.configuration) { line in
            outcome.receive(line)
            show(line)
        }
        let task = Task { () throws -> Void in
            try await start.begin(app)
            await reading(app, inputLines(), outcome)
        }
        let signals = Signals.cancelling(task)
        defer { for signal in signals { signal.cancel() } }
        let result = await task.result
        await app.close()
        try result.get()
        // A person has seen it, and whoever ends the app by a signal asks for nothing more.
        guard isatty(STDIN_FILENO) == 0, !task.isCancelled, outcome.hasFailed else { return }
        throw Failure("not everything was done; standard output says what")
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
