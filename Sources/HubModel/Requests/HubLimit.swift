/// A limit on what a hub takes, as its operator hears of it.
package enum HubLimit: Hashable, Sendable {
    /// Live registrations.
    case registrations
    /// Tags that differ.
    case tags
    /// Bytes of these tags.
    case tagBytes
    /// Tags of all registrations together.
    case memberships
    /// New registrations in a minute with the keys of an access rule.
    case newOfKey(rule: String)
    /// New registrations in a minute from one address.
    case newOfAddress
}
