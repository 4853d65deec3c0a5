import HubDirectory
import HubREST
import HubVocabulary
import Synchronization

/// Settings that take effect while the server runs.
extension HubRoster {
    /// Settings whose new values a reload takes.
    static let reloaded: Set<String> = [
        "log.level", "rest.connections.per.address", "registrations.max", "tags.max",
        "tags.bytes.max", "registrations.per.minute.key", "registrations.per.minute.address",
        "schedule.horizon.seconds", "tags.expression.max", "tags.expression.mixed.max",
        "tags.expression.bytes",
    ]

    /// A setting that differs from the one in force.
    struct Difference: Equatable {
        var name: String
        var from: String
        var to: String
    }

    /// Every setting that is in force.
    var settings: [ServerSetting] { state.withLock { $0.settings } }

    /// Takes those of other settings that can be taken while the server runs.
    ///
    /// - Returns: those that were taken, and those that wait for a restart.
    func take(_ options: ServerOptions) -> (taken: [Difference], waiting: [Difference]) {
        let quota = options.coreLimits.quota
        let (differences, hubs) = state.withLock { state in
            let fresh = Dictionary(options.settings.map { ($0.name, $0) }) { first, _ in first }
            var differences: [Difference] = []
            for (place, old) in state.settings.enumerated() {
                guard let new = fresh[old.name], new.value != old.value else { continue }
                differences.append(Difference(name: old.name, from: old.value, to: new.value))
                if Self.reloaded.contains(old.name) { state.settings[place] = new }
            }
            state.quota = quota
            return (differences, state.members.values.map(\.hub))
        }
        for hub in hubs { _ = hub.writer.inspect { $0.quota = quota } }
        limitsInForce.present = options.coreLimits
        addresses.allow(options.rest.limits.connectionsPerAddress)
        return (
            differences.filter { Self.reloaded.contains($0.name) },
            differences.filter { !Self.reloaded.contains($0.name) }
        )
    }
}
