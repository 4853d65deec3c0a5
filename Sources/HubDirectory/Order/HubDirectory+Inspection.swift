import HubModel
import HubVocabulary

extension HubDirectory {
    /// Answers one part of a question; looks at durable registrations only.
    func inspect(
        _ inspection: Inspection,
        now: Timestamp
    ) throws(StoreError) -> InspectedPart {
        switch inspection {
        case .tags(let prefix, let after, let limit, let start):
            tags(
                prefix: ASCII.lower(prefix),
                after: ASCII.lower(after),
                limit: max(1, min(limit, limits.pageTagsMax + 1)),
                from: start
            )
        case .audience(let target, let format, let sample, let start):
            try audience(
                of: target,
                format: format,
                sampleMax: max(0, min(sample, limits.sampleMax)),
                from: start,
                now: now
            )
        }
    }

    private func tags(
        prefix: [UInt8],
        after: [UInt8],
        limit: Int,
        from start: UInt32
    ) -> InspectedPart {
        var found: [(folded: [UInt8], count: TagCount)] = []
        let next = table.forEachTag(from: start, looking: limits.inspectedPerPart) { tag, count in
            let spelling = tag.bytes(in: 0..<tag.count)
            let folded = ASCII.lower(spelling)
            guard folded.starts(with: prefix), after.lexicographicallyPrecedes(folded) else {
                return
            }
            found.append((folded, TagCount(tag: spelling, registrations: count)))
        }
        found.sort { $0.folded.lexicographicallyPrecedes($1.folded) }
        return InspectedPart(found: .tags(found.prefix(limit).map(\.count)), next: next)
    }

    private func audience(
        of target: NotificationTarget,
        format: NotificationFormat?,
        sampleMax: Int,
        from start: UInt32,
        now: Timestamp
    ) throws(StoreError) -> InspectedPart {
        var found = InspectedAudience()
        var sample: [RegistrationNumber] = []
        let end = UInt32(clamping: UInt64(start) + UInt64(limits.inspectedPerPart))
        let last = min(end, table.numberMax)
        guard start < last else { return InspectedPart(found: .audience(found), next: nil) }
        for number in try numbers(of: target, in: start + 1...last) {
            guard let facts = table.facts(of: number), !facts.isExpired(now),
                format.map(facts.isMeant) ?? true
            else { continue }
            found.take(facts)
            if sample.count < sampleMax { sample.append(number) }
        }
        found.sample = try table.registrations(sample, remembers: false)
        return InspectedPart(found: .audience(found), next: last < table.numberMax ? last : nil)
    }

    /// The live registrations among some that a target means by their present tags, ascending.
    private func numbers(
        of target: NotificationTarget,
        in range: ClosedRange<UInt32>
    ) throws(StoreError) -> [RegistrationNumber] {
        switch target {
        case .broadcast: return table.numbers(in: range)
        case .tags: return table.numbers(of: target).filter { range.contains($0.raw) }
        case .handles(let handles):
            return try table.numbers(handles: handles, in: range)
        case .slots(let targets):
            return targets.compactMap { table.places(of: $0.device).number(in: $0.slot) }
                .filter { range.contains($0.raw) }.sorted()
        }
    }
}
