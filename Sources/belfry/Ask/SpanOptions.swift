import ArgumentParser

/// The options of commands about what happened in some time.
struct SpanOptions: ParsableArguments {
    @Option(help: "Only what happened then or later.")
    var since: String?

    @Option(help: "Only what happened before.")
    var until: String?

    /// Both as rows read them.
    func texts() throws -> (since: String?, until: String?) {
        (
            try since.map { try GivenTime.text($0, option: "--since") },
            try until.map { try GivenTime.text($0, option: "--until") }
        )
    }

    func validate() throws { _ = try texts() }
}
