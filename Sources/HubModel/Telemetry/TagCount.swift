import HubVocabulary

/// A tag and how many registrations have it.
package struct TagCount: Hashable, Sendable {
    /// In the spelling that the hub saw first.
    package var tag: [UInt8]
    /// At least 1.
    package var registrations: Int

    /// The tag's folded bytes, which give the order of tags.
    package var folded: [UInt8] { ASCII.lower(tag) }

    /// Makes a count.
    package init(tag: [UInt8], registrations: Int) {
        self.tag = tag
        self.registrations = registrations
    }
}
