import HubConsole
import HubData
import HubREST
import HubRules
import HubTransport
import HubVocabulary
import Logging

/// The console over the server's hubs: sessions in the data folder, acts in the audit.
enum ConsoleWiring {
    /// The file of the sessions in the data folder: who, until when, and the digests of cookies.
    static let fileName = "console.json"

    /// Joins the console with hubs, keys and files.
    static func configuration(
        _ roster: HubRoster,
        file: String,
        options: RESTOptions,
        names: [String],
        rest: RESTConfiguration
    ) -> ConsoleConfiguration {
        let logger = roster.logger
        let signIns = SignIns(
            kept: kept(file, logger),
            now: { Clock.now.time },
            rules: { share in
                let namespace = roster.namespaceRules.map(\.rule)
                var rules = namespace
                if let hub = share.hub {
                    // A hub that is gone has no rules, and its sessions end.
                    guard let found = try? roster.hub(hub) else { return [] }
                    rules = found.rules.map(\.rule) + namespace
                }
                return rules.filter { $0.name == share.rule }
            },
            keep: { sessions in
                do throws(ServerError) {
                    try JSONFile.write(sessions, to: file)
                } catch {
                    logger.error("sessions are not kept", metadata: ["reason": "\(error)"])
                }
            }
        )
        var console = ConsoleConfiguration(
            service: roster,
            signIns: signIns,
            rest: rest
        ) { act in
            do {
                try await roster.audit.append { AuditEntry(act, number: $0, now: Clock.now.time) }
                return true
            } catch {
                logger.error("the audit cannot be written", metadata: ["reason": "\(error)"])
                return false
            }
        }
        console.access = options.console
        console.names = names.map { $0.contains(":") ? "[\($0)]" : $0.lowercased() }
        return console
    }

    /// The sessions of the last run; without a readable file everyone signs in again.
    private static func kept(_ file: String, _ logger: Logger) -> [ConsoleSession] {
        do throws(ServerError) {
            return try JSONFile.read(file) ?? []
        } catch {
            logger.warning("sessions are forgotten", metadata: ["reason": "\(error)"])
            return []
        }
    }
}
