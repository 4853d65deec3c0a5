package import HubTags
package import HubVocabulary
import HubWire

/// The last slot that devices choose themselves.
///
/// Source: rules B.12.
private let ownSlotLast: UInt16 = 15

extension Registration {
    /// Whether the device itself made it, in one of its own slots.
    package var isDevicesOwn: Bool { target.map { $0.slot <= ownSlotLast } ?? false }

    /// Whether content can become this registration's without making it another one: a change of
    /// handle, platform or kind is a new incarnation.
    ///
    /// Source: rules B.12.
    package func isSameIncarnation(as content: RegistrationContent) -> Bool {
        self.content.platform == content.platform && self.content.handle == content.handle
            && self.content.kind == content.kind
    }

    /// Returns its tombstone, for when it is deleted: its tags end at a place, like any former set.
    ///
    /// Source: rules A.6.
    package func ended(at place: LogPlace) -> Registration {
        guard tagsSince.sequence < place.sequence else { return self }
        var tombstone = self
        tombstone.formerTags.append(FormerTags(tags: tags, until: place))
        tombstone.tagsSince = place
        return tombstone
    }

    /// Sets the tags from `place` on and remembers what held before.
    ///
    /// A set that no record can have seen is not remembered. Past so many former sets, or so many
    /// bytes of them, the oldest goes and the history counts as cut; what lies below `first` is no
    /// longer asked for.
    /// Source: rules A.6.
    package mutating func setTags(
        own: TagSet,
        granted: TagSet,
        from place: LogPlace,
        first: UInt64,
        limits: CoreLimits
    ) {
        let before = tags
        content.tags = own
        self.granted = granted
        if tags != before, tagsSince.sequence < place.sequence {
            formerTags.append(FormerTags(tags: before, until: place))
            tagsSince = place
        }
        forgetFormerTags(below: first)
        var bytes = formerTags.reduce(0) { $0 + $1.tags.bytes.count }
        while formerTags.count > limits.registrations.formerTagSetsMax
            || bytes > limits.registrations.formerTagBytesMax
        {
            let oldest = formerTags.removeFirst()
            bytes -= oldest.tags.bytes.count
            historyCut = oldest.until
        }
        if let cut = historyCut, cut.sequence <= first { historyCut = nil }
    }

    /// Forgets what no record from `first` on asks for.
    mutating func forgetFormerTags(below first: UInt64) {
        if formerTags.contains(where: { $0.until.sequence <= first }) {
            formerTags.removeAll { $0.until.sequence <= first }
        }
        if let cut = historyCut, cut.sequence <= first { historyCut = nil }
    }
}

extension TagSet {
    /// The tags that both have, in this set's order and spelling.
    package func intersection(_ other: TagSet) -> TagSet { subtracting(subtracting(other)) }
}
