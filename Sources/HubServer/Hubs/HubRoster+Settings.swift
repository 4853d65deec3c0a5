import HubDirectory
import HubREST
import HubVocabulary
import Synchronization

/// Settings that take effect while the server runs.
extension HubRoster {
    /// Every setting that is in force.
    var settings: [ServerSetting] { state.withLock { $0.settings } }

    /// Takes those of other settings that can be taken while the server runs.
    ///
    /// - Returns: those that were taken, and those that wait for a restart.
    func take(_ options: ServerOptions) -> (taken: [SettingChange], waiting: [SettingChange]) {
        let quota = options.coreLimits.quota
        let (differences, hubs) = state.withLock { state in
            let fresh = Dictionary(options.settings.map { ($0.name, $0) }) { first, _ in first }
            var differences: [SettingChange] = []
            for (place, old) in state.settings.enumerated() {
                guard let new = fresh[old.name], new.value != old.value else { continue }
                differences.append(SettingChange(name: old.name, from: old.value, to: new.value))
                if SettingChange.reloaded.contains(old.name) { state.settings[place] = new }
            }
            state.quota = quota
            return (differences, state.members.values.map(\.hub))
        }
        for hub in hubs { _ = hub.writer.inspect { $0.quota = quota } }
        limitsInForce.present = options.coreLimits
        addresses.allow(options.rest.limits.connectionsPerAddress)
        return (
            differences.filter { SettingChange.reloaded.contains($0.name) },
            differences.filter { !SettingChange.reloaded.contains($0.name) }
        )
    }
}
