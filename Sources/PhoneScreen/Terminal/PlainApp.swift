import DeviceEmulator
import Foundation

/// The app with a command a line, for people and scripts.
enum PlainApp {
    /// Runs until its input ends, or the task is cancelled; whether everything was done.
    static func run(_ start: AppStart) async throws -> Bool {
        try await LineApp.run(start) { line in
            if let text = PlainConsole.line(line) { start.print(text) }
            guard let opened = line.opened else { return }
            let size = RawTerminal.size
            let rows = max(3, size.rows - 3)
            if let picture = start.show.drawn(opened, columns: size.columns, rows: rows) {
                start.print(picture)
            } else {
                start.show.open(opened)
            }
        } reading: { app, lines, outcome in
            if isatty(STDIN_FILENO) == 1 {
                start.prompt("type help for what there is to type\n")
            }
            var console = PlainConsole()
            var iterator = lines.makeAsyncIterator()
            while let line = await iterator.next() {
                switch console.receive(line) {
                case .perform(let command): await app.perform(command)
                case .say(let lines): for line in lines { start.print(line) }
                case .refuse(let lines):
                    outcome.fail()
                    for line in lines { start.print(line) }
                case .quit: return
                case .logIn(let user):
                    let echo = EchoSwitch()
                    if echo.isOff { start.prompt("Password: ") }
                    let password = await iterator.next()
                    echo.restore()
                    if echo.isOff { start.prompt("\n") }
                    guard let password else { return }
                    await app.perform(PhoneCommand(.logIn, user: user, password: password))
                }
            }
        }
    }
}
