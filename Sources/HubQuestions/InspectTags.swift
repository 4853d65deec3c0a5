package import HubDirectory
package import HubModel
package import HubVocabulary

/// Reads the tags that begin with `prefix` and lie behind `after`, both without ASCII case.
///
/// They come in the order of their folded bytes; `limit` at most, those that come first.
package struct InspectTags: HubQuestion {
    /// The first bytes of the tags.
    package let prefix: [UInt8]
    /// The place behind which the page begins.
    package let after: [UInt8]
    /// How many at most.
    package let limit: Int
    /// Where the part begins.
    package let from: UInt32

    /// Asks for one part.
    package init(prefix: [UInt8], after: [UInt8], limit: Int, from: UInt32) {
        self.prefix = prefix
        self.after = after
        self.limit = limit
        self.from = from
    }

    package func answer(_ hub: HubView) throws(Refusal) -> InspectedPart<[TagCount]> {
        let (prefix, after) = (ASCII.lower(prefix), ASCII.lower(after))
        let limit = max(1, min(limit, hub.limits.inspection.pageTagsMax + 1))
        var found: [(folded: [UInt8], count: TagCount)] = []
        let next = hub.table.forEachTag(from: from, looking: hub.limits.inspection.inspectedPerPart)
        {
            tag,
            count in
            let spelling = tag.bytes(in: 0..<tag.count)
            let folded = ASCII.lower(spelling)
            guard folded.starts(with: prefix), after.lexicographicallyPrecedes(folded) else {
                return
            }
            found.append((folded, TagCount(tag: spelling, registrations: count)))
        }
        found.sort { $0.folded.lexicographicallyPrecedes($1.folded) }
        return InspectedPart(found.prefix(limit).map(\.count), next: next)
    }
}
