import ArgumentParser
import CommandTerminal

/// `belfry device list`.
struct DeviceListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the devices of a hub.",
        discussion: """
            'behind' counts the notifications of the log that were not looked at for a device yet.

            Examples:
              belfry device list --data ./data
              belfry device list --data ./data --behind
              belfry device list --data ./data --user mara --state away
            """
    )

    enum State: String, CaseIterable, ExpressibleByArgument {
        case away
        case connected
    }

    @OptionGroup var hubOptions: HubOptions
    @OptionGroup var page: PageOptions

    @Option(help: "Only devices whose id begins with these hex digits.")
    var prefix: String?

    @Option(help: "Only devices that are away, or connected.")
    var state: State?

    @Option(help: "Only devices with a registration that has this tag.")
    var tag: String?

    @Option(help: "Only devices of this user, as installations name users.")
    var user: String?

    @Flag(help: "Shows those that are furthest behind.")
    var behind = false

    func validate() throws {
        if behind, page.after != nil { throw ValidationError("--behind has no next page.") }
        if tag != nil, user != nil { throw ValidationError("Name one of --tag and --user.") }
    }

    private struct Page: Decodable {
        var continuationToken: String?
        var devices: [FoundDevice]
    }

    func run() async throws {
        try await Row.show(
            Page.self,
            of: hubOptions,
            json: page.json,
            "$belfry/devices",
            [
                "$top": "\(page.top)", "continuationtoken": page.after, "prefix": prefix,
                "state": state?.rawValue, "tag": tag, "user": user,
                "sort": behind ? "behind" : nil,
            ]
        ) { found in
            var table = FoundDevice.table
            for device in found.devices { device.add(to: &table) }
            table.show("no such device\(found.continuationToken == nil ? "" : " so far")")
            page.tell(next: found.continuationToken)
        }
    }
}
