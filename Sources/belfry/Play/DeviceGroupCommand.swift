import ArgumentParser

/// `belfry device`.
struct DeviceGroupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "Runs one emulated device, or looks at the devices of a hub.",
        discussion: """
            Examples:
              belfry device --data ./data --tag World   # as 'belfry device run'
              belfry device list --data ./data --behind
            """,
        subcommands: [DeviceCommand.self, DeviceListCommand.self, DeviceShowCommand.self],
        defaultSubcommand: DeviceCommand.self
    )
}
