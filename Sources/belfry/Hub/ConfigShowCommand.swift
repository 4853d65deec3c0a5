import ArgumentParser
import CommandTerminal
import HubServer
import HubVocabulary

/// `belfry config show`.
struct ConfigShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows every setting with its value and where it comes from.",
        discussion: """
            It reads what 'belfry serve' would read now. A running hub has the settings of its \
            start.

            Examples:
              belfry config show --data ./data
            """
    )

    @Option(help: "The data folder; it may be missing.")
    var data: String

    @Flag(help: "Prints the settings as JSON.")
    var json = false

    func run() async throws {
        do {
            let settings = try await ServerSettings.load(flags: [:], data: data).options.settings
            if json { return try Terminal.json(settings) }
            var table = TextTable("setting", "value", "from")
            for setting in settings {
                table.add(setting.name, setting.value, setting.origin.rawValue)
            }
            table.show("there is no setting")
        } catch {
            throw Failure(error)
        }
    }
}
