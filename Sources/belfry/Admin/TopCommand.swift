import ArgumentParser
import CommandTerminal
import Foundation
import HubExamination
import HubSender

/// `belfry top`.
struct TopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "top",
        abstract: "Shows the numbers of each hub, again and again.",
        usage: "belfry top [<options>]",
        discussion: """
            The last line says within which time 99 of 100 stayed in the last five seconds: from a \
            send's arrival until it was stored, from there to the connections of devices, from there \
            to their acknowledgements. Of hubs in a database another line names the nodes, and which \
            one leads. Control-C ends it. Prometheus reads more: see $belfry/metrics.

            Examples:
              belfry top --data ./data
              belfry top --data ./data --once --json
            """
    )

    @OptionGroup var hubOptions: HubOptions

    @Option(help: "Seconds between two readings.")
    var every = 1

    @Flag(help: "Reads once and ends.")
    var once = false

    @Flag(help: "Prints each reading as a line of JSON.")
    var json = false

    func validate() throws {
        try hubOptions.refuseHub(since: "The command is about all hubs")
        guard (1...3_600).contains(every) else {
            throw ValidationError("--every must be 1 to 3600.")
        }
    }

    func run() async throws {
        let before = [String: Int]()
        try await Signals.cancelling { [self] in
            var heads = before
            while true {
                do {
                    try await Row.show(
                        HubNumbers.self,
                        of: hubOptions,
                        isOfServer: true,
                        json: json,
                        HubNumbers.path
                    ) { found in
                        show(found, since: heads)
                        for hub in found.hubs { heads[hub.name] = hub.numbers?.logHead }
                    }
                    if !json {
                        try await Row.show(
                            NewestLatencies.self,
                            of: hubOptions,
                            isOfServer: true,
                            json: false,
                            NewestLatencies.path,
                            NewestLatencies.fields()
                        ) { Terminal.line($0.line) }
                        if let line = try await nodes() { Terminal.line(line) }
                    }
                } catch  where Task.isCancelled {
                    return
                }
                if once { return }
                // Cancelled by a signal: the user has seen enough.
                do { try await Task.sleep(for: .seconds(every)) } catch { return }
            }
        }
    }

    /// The nodes of the hubs' database; nil where files hold the hubs.
    private func nodes() async throws -> String? {
        let ask: (SenderClient) async throws(SenderError) -> String? = {
            sender throws(SenderError) in
            do throws(SenderError) {
                return try await sender.row(.get, FoundNodes.path)
            } catch {
                // A server of an older release has no such row.
                guard error.status == 404 else { throw error }
                return nil
            }
        }
        guard let text = try await Connecting.askingServer(hubOptions, ask) else { return nil }
        return try Row.read(text, as: FoundNodes.self).line
    }

    private func show(_ found: HubNumbers, since heads: [String: Int]) {
        var table = TextTable("hub", "connected", "devices", "registrations", "sent", "sent/s")
        for hub in found.hubs {
            guard let numbers = hub.numbers else {
                table.add(hub.name, "-", "-", "-", "-", "-")
                continue
            }
            let rate = heads[hub.name].map { "\((numbers.logHead - $0) / every)" } ?? "-"
            table.add(
                hub.name,
                "\(numbers.connected)",
                "\(numbers.devices)",
                "\(numbers.registrations)",
                "\(numbers.logHead)",
                rate
            )
        }
        if Terminal.isInteractive { Terminal.clear() }
        table.show("there is no hub")
    }
}
