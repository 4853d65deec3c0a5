package import HubDirectory
package import HubModel
package import HubVocabulary

/// Reads the tags that begin with `prefix` and lie between `after` and `before`, without ASCII case.
///
/// They come in the order of their folded bytes; `limit` at most, those that come first.
package struct InspectTags: HubQuestion {
    /// The first bytes of the tags.
    package let prefix: [UInt8]
    /// The place behind which the page begins.
    package let after: [UInt8]
    /// The place before which the tags lie; nil for the end.
    package let before: [UInt8]?
    /// How many at most.
    package let limit: Int
    /// Where the part begins.
    package let from: UInt32

    /// Asks for one part.
    package init(
        prefix: [UInt8],
        after: [UInt8],
        before: [UInt8]? = nil,
        limit: Int,
        from: UInt32
    ) {
        self.prefix = prefix
        self.after = after
        self.before = before
        self.limit = limit
        self.from = from
    }

    package func answer(_ hub: HubView) throws(Refusal) -> InspectedPart<[TagCount]> {
        let limits = hub.limits.inspection
        var first = FirstTags(
            prefix: ASCII.lower(prefix),
            after: ASCII.lower(after),
            before: before.map { ASCII.lower($0) },
            limit: max(1, min(limit, limits.pageTagsMax + 1))
        )
        let next = hub.table.forEachTag(from: from, looking: limits.inspectedPerPart) {
            first.take($0, registrations: $1)
        }
        return InspectedPart(first.counts(), next: next)
    }
}
