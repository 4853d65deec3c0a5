import ArgumentParser
import BenchCommands
import CommandTerminal
import Foundation
import HubVocabulary

/// The one binary: subcommands and nothing else.
@main
struct Belfry: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "belfry",
        abstract: "A self-hosted push-notification hub.",
        discussion: """
            Try it:
              belfry demo                              a hub, devices, breaking news
              belfry serve --data ./data               run a hub
              belfry device --data ./data --tag World  one emulated device
              belfry app --data ./data                 a phone, with a screen and keys
              belfry send --data ./data --tags World --format apple \\
                '{"aps":{"alert":"Hello"}}'

            Exit codes: 0 success, 1 the operation failed, 64 wrong usage.
            """,
        version: Release.version,
        subcommands: [
            ServeCommand.self, DemoCommand.self, SendCommand.self, AudienceCommand.self,
            PreviewCommand.self, ExplainCommand.self, TokenCommand.self,
            DeviceGroupCommand.self, FleetCommand.self, BenchCommand.self, BackupCommand.self,
            RestoreCommand.self, MigrateCommand.self, VerifyCommand.self, SettingsCommand.self,
            PurgeCommand.self,
            RelayCommand.self,
            SimulateCommand.self, ConformanceCommand.self, RevokeCommand.self, BackendCommand.self,
            AppCommand.self, NotificationCommand.self, ScheduleCommand.self, TagCommand.self,
            HubCommand.self, KeyCommand.self, ConfigCommand.self,
            ClusterCommand.self, ReloadCommand.self,
            DoctorCommand.self,
            AuditCommand.self, ContextCommand.self, TopCommand.self, TailCommand.self,
            FakeCommand.self, ConsoleCommand.self,
        ]
    )

    /// Runs the command that the arguments name; wrong usage is told with that command's own usage.
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            try checkName(arguments.first)
            var command = try parseAsRoot(arguments)
            do {
                if var asynchronous = command as? any AsyncParsableCommand {
                    try await asynchronous.run()
                } else {
                    try command.run()
                }
            } catch let error as ValidationError {
                let usage = usageString(for: type(of: command))
                let name = usage.split(separator: " ").prefix {
                    !$0.hasPrefix("[") && !$0.hasPrefix("<")
                }
                Terminal.note("Error: \(error.message)\nUsage: \(usage)")
                Terminal.note("  See '\(name.joined(separator: " ")) --help' for more information.")
                Foundation.exit(ExitCode.validationFailure.rawValue)
            }
        } catch {
            exit(withError: error)
        }
    }

    /// Refuses a command that is not there, and names the one that may be meant.
    private static func checkName(_ word: String?) throws {
        guard let word, !word.hasPrefix("-") else { return }
        let names = configuration.subcommands.map { $0._commandName } + ["help"]
        guard !names.contains(word) else { return }
        throw ValidationError.wrong(word, kind: "command", words: names)
    }
}
