package import HubTags
import HubVocabulary

/// The tags that a registration had when a notification was accepted.
package struct TagsThen: Hashable, Sendable {
    /// The tags, in the order of the set.
    package var tags: [[UInt8]]
    /// The first place, as far as the hub remembers, at which they held.
    package var since: UInt64
    /// The place from which others hold; nil while they still do.
    package var until: UInt64?
    /// The tags of the notification's expression, held against them; empty when it has none.
    package var terms: [TagTerm]

    /// Makes them of a set.
    package init(_ set: TagSet, since: UInt64, until: UInt64?, terms: [TagTerm] = []) {
        tags = (0..<set.count).map { Array(set.bytes[set.range(at: $0)]) }
        self.since = since
        self.until = until
        self.terms = terms
    }
}

extension Registration {
    /// The places at which the tags of a place began to hold and ceased to.
    ///
    /// Asked only where ``tags(at:)`` has tags. The hub forgets those that ended below `first`, the
    /// first place of the log.
    package func placesOfTags(
        at sequence: UInt64,
        first: UInt64
    ) -> (since: UInt64, until: UInt64?) {
        var begin = max(since.sequence, historyCut?.sequence ?? 0, first)
        guard sequence < tagsSince.sequence else {
            return (max(begin, tagsSince.sequence), nil)
        }
        for former in formerTags {
            if sequence < former.until.sequence { return (begin, former.until.sequence) }
            begin = max(begin, former.until.sequence)
        }
        return (begin, tagsSince.sequence)
    }
}
