package import HubREST
import HubVocabulary

/// A signed-in operator; what of it is kept across a restart.
package struct ConsoleSession: Codable, Equatable, Sendable {
    /// SHA-256 of the cookie's value, in hex: the value itself is the browser's alone.
    package var digest: String
    /// The operator's role.
    package var role: ConsoleRole
    /// The one hub that the operator may see; nil for all.
    package var hub: String?
    /// The name that the operator claims.
    package var name: String
    /// The access rule that signed the code.
    package var rule: String
    /// A digest of the rule's keys when its code was made: a session ends with them.
    package var keys: String
    /// A digest of the way in of the relay through which it began; nil without a relay.
    package var relay: String?
    /// When it began, in milliseconds since 1970.
    package var began: UInt64
    /// When it ends, whatever happens.
    package var ends: UInt64

    /// Whether it began through a relay, whose browsers keep its cookie without TLS.
    var isRelayed: Bool { relay != nil }

    /// The rule that it counts for.
    var share: ConsoleShare { ConsoleShare(hub: hub.flatMap(HubName.init), rule: rule) }

    /// Whether a hub is in its reach.
    func reaches(_ hub: HubName) -> Bool { self.hub == nil || self.hub == hub.description }

    /// Whether the server and all its hubs are in its reach.
    var reachesServer: Bool { hub == nil }

    /// A few digits by which an operator can tell one session from another.
    var shown: String { String(digest.prefix(8)) }
}
