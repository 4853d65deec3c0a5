package import HubVocabulary

/// Which installations a list names: those that meet every condition.
package struct InstallationFilter: Hashable, Sendable {
    /// How their ids begin, in any case; empty for any.
    package var prefix: [UInt8]
    /// A tag that one of their registrations has, in any spelling; `$UserId:{…}` names a user's.
    package var tag: [UInt8]?
    /// Their platform.
    package var platform: Platform?

    /// Makes a filter; without arguments it names all.
    package init(prefix: [UInt8] = [], tag: [UInt8]? = nil, platform: Platform? = nil) {
        self.prefix = prefix
        self.tag = tag
        self.platform = platform
    }
}
