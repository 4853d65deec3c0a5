/// How much one hub takes of registrations and tags, so that no key that devices carry can fill
/// memory and disk.
///
/// It holds for what is added. A hub that has more starts and serves.
package struct HubQuota: Equatable, Sendable {
    /// Live registrations.
    package var registrationsMax = 10_000_000
    /// Tags that differ.
    package var tagsMax = 10_000_000
    /// Bytes of the spellings of these tags.
    package var tagBytesMax = 536_870_912
    /// New registrations, and new devices, in a minute with one access rule that lacks Manage.
    package var newPerKeyPerMinute = 30_000
    /// New registrations over REST in a minute from one address with such rules.
    package var newPerAddressPerMinute = 600

    /// The defaults.
    package init() {}
}
