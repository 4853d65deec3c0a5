import ArgumentParser
import CommandTerminal

/// The options of every command that prints a list page by page.
struct PageOptions: ParsableArguments {
    @Option(help: "Lines at most.")
    var top = 20

    @Option(help: "Goes on where the page before ended; it printed the word.")
    var after: String?

    @Flag(help: "Prints the answer as JSON.")
    var json = false

    func validate() throws {
        guard top >= 1 else { throw ValidationError("--top must be at least 1.") }
    }

    /// Says how the next page is asked for.
    func tell(next: String?) {
        if let next { Terminal.note("more: --after \(next)") }
    }
}
