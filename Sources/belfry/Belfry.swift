import ArgumentParser

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
        version: "0.2.0",
        subcommands: [
            ServeCommand.self, DemoCommand.self, SendCommand.self, ExplainCommand.self,
            DeviceCommand.self, FleetCommand.self, BenchCommand.self, BackupCommand.self,
            RestoreCommand.self, VerifyCommand.self, SettingsCommand.self, PurgeCommand.self,
            SimulateCommand.self, RevokeCommand.self, BackendCommand.self,
            AppCommand.self,
        ]
    )
}
