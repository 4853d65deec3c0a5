import DeviceEmulator
import Foundation

/// The app with lines of JSON in and out.
enum JSONApp {
    /// Runs until its input ends, or the task is cancelled; whether everything was done.
    static func run(_ start: AppStart, shows trace: Bool) async throws -> Bool {
        try await LineApp.run(start) { line in
            guard let line = trace ? line : line.untraced else { return }
            start.print(line.json)
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
                    start.print(PhoneLine.done(fault: "this line is no command").json)
                }
            }
        }
    }
}
