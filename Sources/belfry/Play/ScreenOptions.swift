import ArgumentParser

/// How an app on the screen of a terminal treats the person in front of it.
struct ScreenOptions: ParsableArguments {
    @Option(
        help: """
            The program that opens pictures, sounds and films where the terminal does not draw \
            them: with its arguments, or 'none'. Without it, xdg-open on a desktop.
            """
    )
    var viewer: String?

    @Option(help: "Seconds that the screen waits for an answer of the backend.")
    var patience: Int64 = 3

    func validate() throws {
        guard (1...90).contains(patience) else { throw ValidationError("--patience is 1 to 90.") }
    }
}
