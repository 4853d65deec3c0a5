package import DeviceEmulator
import Foundation

/// The app of the scenarios in this process's terminal, or as lines of its input and output.
package struct TerminalApp: Sendable {
    /// How the app shows itself.
    package enum Form: Equatable, Sendable {
        /// On the whole screen, used by keys.
        case screen
        /// A command a line, for people and scripts.
        case plain
        /// Lines of JSON in and out; with `trace` requests and frames too.
        case json(trace: Bool)
    }

    /// The settings with which the app is started.
    package struct Configuration: Sendable {
        /// The phone.
        package var phone: PhoneSetup
        /// How it shows itself.
        package var form: Form
        /// Who logs in at the start.
        package var login: (user: String, password: String)?
        /// Whether the device's handle has changed since the last start.
        package var playsNewHandle = false
        /// The program that opens content, as `--viewer` has it.
        package var viewer: String?
        /// Seconds that the screen waits for an answer of the backend.
        package var patienceSeconds: Int64 = 3
        /// Whether the screen has colours.
        package var hasColours = false
        /// A value for each change of the terminal's size.
        package var resizes = AsyncStream<Void> { $0.finish() }

        /// A phone in a form.
        package init(_ phone: PhoneSetup, form: Form) {
            self.phone = phone
            self.form = form
        }
    }

    private let configuration: Configuration
    private let start: AppStart

    /// An app whose output goes where `print` and `prompt` put it.
    ///
    /// - Parameters:
    ///   - configuration: what it is started with.
    ///   - print: takes a line for standard output.
    ///   - prompt: takes text for standard error, without a line break.
    /// - Throws: `PhoneFault` when there is no such viewer.
    package init(
        _ configuration: Configuration,
        print: @escaping @Sendable (String) -> Void,
        prompt: @escaping @Sendable (String) -> Void
    ) throws(PhoneFault) {
        self.configuration = configuration
        var phone = configuration.phone
        if configuration.form == .screen {
            phone.backendPatience = .person(answerSeconds: configuration.patienceSeconds)
            phone.patience = .seconds(5)
        }
        start = AppStart(
            configuration: phone,
            login: configuration.login,
            playsNewHandle: configuration.playsNewHandle,
            show: try ContentShow(viewer: configuration.viewer),
            print: print,
            prompt: prompt
        )
    }

    /// Whether this process has a terminal for the whole screen.
    package static var hasScreen: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

    /// Runs until its user quits, its input ends or the task is cancelled.
    ///
    /// - Returns: whether everything that a script asked for was done; a person has seen it.
    /// - Throws: `PhoneFault` when the app cannot begin, `TerminalFault` without a terminal.
    package func run() async throws -> Bool {
        switch configuration.form {
        case .json(let trace): return try await JSONApp.run(start, shows: trace)
        case .plain: return try await PlainApp.run(start)
        case .screen:
            try await ScreenApp.run(
                start,
                hasColours: configuration.hasColours,
                resizes: configuration.resizes
            )
            return true
        }
    }
}
