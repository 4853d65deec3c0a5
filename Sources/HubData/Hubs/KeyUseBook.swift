import Foundation
package import HubRules
package import HubVocabulary
import Synchronization

/// The last uses of all keys, in a file of the data folder: `key-uses.json`.
///
/// A crash forgets those since the last writing; a key is used again, or it was used an hour before.
package final class KeyUseBook: Sendable {
    /// Keys of one level: a hub's, or the namespace's.
    private struct Level {
        /// Nil for the namespace.
        var hub: String?
        var rules: [AccessRule]
    }

    private struct Entry: Codable, Equatable {
        var hub: String?
        var rule: String
        var key: String
        /// Milliseconds since 1970, as of whole hours; absent for never.
        var request: UInt64?
        var device: UInt64?
    }

    private let path: String
    private let written: Mutex<[Entry]>

    /// Reads the file of a data folder and gives each key its last uses.
    package init(data: String, _ keys: HubKeys) {
        path = data + "/key-uses.json"
        let bytes = FileManager.default.contents(atPath: path)
        // A file that cannot be read has no use of a key; the next writing replaces it.
        let entries = bytes.flatMap { try? JSONDecoder().decode([Entry].self, from: $0) } ?? []
        let known = Dictionary(entries.map { (Self.name($0), $0) }) { first, _ in first }
        written = Mutex(entries)
        let hubs = keys.hubs.map { ($0.name, $0.rules) }
        for level in Self.levels(keys.namespace.map(\.rule), hubs) {
            for (place, use) in Self.uses(of: level) {
                guard let entry = known[Self.name(place)] else { continue }
                for (user, time) in [(KeyUse.User.request, entry.request), (.device, entry.device)]
                {
                    if let time { use.mark(user, at: Timestamp(milliseconds: time)) }
                }
            }
        }
    }

    /// Writes the uses of now, if there are others than in the file.
    package func write(
        namespace: [AccessRule],
        _ hubs: [(HubName, [AccessRule])]
    ) throws(ServerError) {
        let entries = Self.levels(namespace, hubs).flatMap { level in
            Self.uses(of: level).compactMap { place, use -> Entry? in
                guard use.last != nil else { return nil }
                var entry = place
                entry.request = use.last(.request)?.milliseconds
                entry.device = use.last(.device)?.milliseconds
                return entry
            }
        }
        guard written.withLock({ $0 != entries }) else { return }
        try JSONFile.write(entries, to: path)
        written.withLock { $0 = entries }
    }

    private static func levels(
        _ namespace: [AccessRule],
        _ hubs: [(HubName, [AccessRule])]
    ) -> [Level] {
        [Level(hub: nil, rules: namespace)]
            + hubs.map { Level(hub: $0.0.description, rules: $0.1) }
    }

    /// Each key of a level, as an entry without uses.
    private static func uses(of level: Level) -> [(Entry, KeyUse)] {
        level.rules.flatMap { rule in
            [(RuleKey.primary, rule.primaryUse), (.secondary, rule.secondaryUse)].map { key, use in
                (Entry(hub: level.hub, rule: rule.name, key: key.rawValue), use)
            }
        }
    }

    /// Tells entries apart; no hub has an empty name.
    private static func name(_ entry: Entry) -> [String] {
        [entry.hub ?? "", entry.rule, entry.key]
    }
}
