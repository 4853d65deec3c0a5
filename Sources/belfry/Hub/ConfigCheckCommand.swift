import ArgumentParser
import CommandTerminal
import HubServer
import HubVocabulary

/// `belfry config check`.
struct ConfigCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks the settings, and each file, address and port that they name.",
        discussion: """
            It exits 1 at the first mistake, and names its place: a file's line, a key, a variable. \
            Ports that the folder's own running hub holds are no mistake.

            Examples:
              belfry config check --data ./data
            """
    )

    @Option(help: "The data folder; it may be missing.")
    var data: String

    func run() async throws {
        do {
            let settings = try await ServerSettings.load(flags: [:], data: data)
            try ServableSettings.require(settings)
            let set = settings.options.settings.count { $0.origin != .standard }
            Terminal.line("ok: \(set) of \(settings.options.settings.count) settings are set")
        } catch {
            throw Failure(error)
        }
    }
}
