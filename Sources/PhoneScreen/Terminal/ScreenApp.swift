import DeviceEmulator
import Foundation

/// The app on the whole screen.
enum ScreenApp {
    /// An event that the screen takes.
    private enum Input: Sendable {
        case keys([UInt8])
        case line(PhoneLine)
        case resized
        case second
        case end
    }

    /// Runs until its user quits, the terminal goes, or the task is cancelled.
    static func run(
        _ start: AppStart,
        hasColours: Bool,
        resizes: AsyncStream<Void>
    ) async throws {
        let (inputs, feed) = AsyncStream<Input>.makeStream()
        let app = try PhoneApp(start.configuration) { feed.yield(.line($0)) }
        let (commands, orders) = AsyncStream<PhoneCommand>.makeStream()
        // The screen answers keys while the app waits for others.
        let work = Task {
            do throws(PhoneFault) {
                try await start.begin(app)
            } catch {
                feed.yield(.line(.problem(error.description)))
            }
            for await command in commands { await app.perform(command) }
        }
        var screen = AppScreen(
            await PhoneSnapshot(of: app),
            secondsFromUTC: TimeZone.current.secondsFromGMT()
        )
        let terminal = try RawTerminal()
        defer { terminal.close() }
        let sources = sources(feed, resizes)
        defer { for source in sources { source.cancel() } }

        var decoder = KeyDecoder()
        var view = ScreenView(start.show, hasColours: hasColours)
        func draw() { terminal.write(view.text(of: screen)) }
        draw()
        // A task that is cancelled has no more inputs.
        showing: for await input in inputs {
            switch input {
            case .end: break showing
            case .resized: view.forget()
            case .line(let line):
                screen.receive(line)
                if screen.takeBell() { terminal.write("\u{07}") }
                if let opened = line.opened { view.open(opened) }
            case .second: screen.tick()
            case .keys(let bytes):
                let pressed = bytes.isEmpty ? decoder.flush() : decoder.receive(bytes)
                for action in pressed.flatMap({ screen.receive($0) }) {
                    switch action {
                    case .quit: break showing
                    case .reconnect: await app.reconnect()
                    case .perform(let command): orders.yield(command)
                    }
                }
            }
            draw()
        }
        terminal.close()
        orders.finish()
        work.cancel()
        await app.closeInOrder()
    }

    /// Keys, sizes and seconds, as inputs.
    private static func sources(
        _ feed: AsyncStream<Input>.Continuation,
        _ resizes: AsyncStream<Void>
    ) -> [Task<Void, Never>] {
        let resizing = Task { for await _ in resizes { feed.yield(.resized) } }
        let keys = Task {
            for await bytes in RawTerminal.keys() { feed.yield(.keys(bytes)) }
            feed.yield(.end)
        }
        let seconds = Task {
            // Ends with its cancellation.
            while (try? await Task.sleep(for: .seconds(1))) != nil { feed.yield(.second) }
        }
        return [resizing, keys, seconds]
    }
}
