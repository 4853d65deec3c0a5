import ArgumentParser
import CommandTerminal
import HubVocabulary

/// `belfry device show`.
struct DeviceShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows a device of a hub with its registrations.",
        usage: "belfry device show <device> [<options>]",
        discussion: """
            Examples:
              belfry device show --data ./data 8470d6d51c2b4f3ab0e2a91d5f6c7e80
            """
    )

    @OptionGroup var hubOptions: HubOptions

    @Argument(help: "Its id, or its push handle.")
    var device: String

    @Flag(help: "Prints the answer as JSON.")
    var json = false

    private struct Details: Decodable {
        struct Registration: Decodable {
            var id: String
            var kind: String
            var platform: String
            var tags: [String]
        }

        var device: FoundDevice
        var registrations: [Registration]
    }

    func validate() throws { try GivenIdentifier.checkDevice(device) }

    func run() async throws {
        try await Row.show(
            Details.self,
            of: hubOptions,
            json: json,
            "$belfry/devices/\(device)"
        ) { found in
            var table = FoundDevice.table
            found.device.add(to: &table)
            table.show("")
            var registrations = TextTable("registration", "kind", "platform", "tags")
            for entry in found.registrations {
                registrations.add(
                    entry.id,
                    entry.kind,
                    Platform.shown(entry.platform),
                    entry.tags.joined(separator: ", ")
                )
            }
            registrations.show("no registration leads to it: it gets nothing")
        }
    }
}
