package import HubVocabulary

/// When a delivery stops being worth it.
package struct Lifetime: Hashable, Sendable {
    /// Its time is over then.
    package var expires: Timestamp
    /// Now or never.
    package var isTransient: Bool

    /// Makes one of its parts.
    package init(expires: Timestamp, isTransient: Bool) {
        self.expires = expires
        self.isTransient = isTransient
    }
}
