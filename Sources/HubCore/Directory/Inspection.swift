import HubTags

/// A question of an operator about registrations or tags.
///
/// It is answered in parts of at most `CoreLimits.inspectedPerPart`, so that no question holds up
/// the hub's writer; whoever asks repeats it from where the part before ended. What is written
/// between two parts may or may not be seen.
package enum Inspection: Sendable {
    /// Tags that begin with `prefix` and lie behind `after`, both without ASCII case, in the order
    /// of their folded bytes; `limit` at most, those that come first.
    case tags(prefix: [UInt8], after: [UInt8], limit: Int, from: UInt32)
    /// The registrations above `from` that a notification of this kind would reach now, with up to
    /// `sample` of them.
    case audience(NotificationTarget, format: NotificationFormat?, sample: Int, from: UInt32)
}

/// One part of an answer, and where the next one begins; nil when it was the last.
package struct InspectedPart: Sendable {
    /// What was found.
    package var found: Inspected
    /// For `from` of the next question.
    package var next: UInt32?

    /// Makes a part.
    package init(found: Inspected, next: UInt32?) {
        self.found = found
        self.next = next
    }
}

/// What one part of an inspection found.
package enum Inspected: Sendable {
    /// Ascending by folded bytes.
    case tags([TagCount])
    case audience(InspectedAudience)
}

/// A tag and how many registrations have it.
package struct TagCount: Hashable, Sendable {
    /// In the spelling that the hub saw first.
    package var tag: [UInt8]
    /// At least 1.
    package var registrations: Int

    /// What tags are ordered by.
    package var folded: [UInt8] { ASCII.lower(tag) }

    /// Makes a count.
    package init(tag: [UInt8], registrations: Int) {
        self.tag = tag
        self.registrations = registrations
    }
}

/// Whom a notification would reach.
package struct InspectedAudience: Sendable {
    /// How many registrations of one platform and kind.
    package struct Share: Hashable, Sendable {
        /// Whose.
        package var platform: Platform
        /// Whether they are templates; else native.
        package var isTemplate: Bool
        /// How many.
        package var registrations: Int
    }

    /// By platform, native before template; without those that have none.
    package var shares: [Share] = []
    /// How many of them lead to no device that the hub knows.
    package var withoutDevice = 0
    /// The first of them.
    package var sample: [Registration] = []

    /// How many in all.
    package var registrations: Int { shares.reduce(0) { $0 + $1.registrations } }

    /// An audience of nobody.
    package init() {}

    /// Counts one registration.
    mutating func take(_ facts: RegistrationFacts) {
        add(
            Share(
                platform: facts.platform,
                isTemplate: facts.isTemplate,
                registrations: 1
            )
        )
        if facts.target == nil { withoutDevice += 1 }
    }

    /// Adds what a later part found; keeps `sampleMax` of both samples.
    package mutating func add(_ other: InspectedAudience, sampleMax: Int) {
        for share in other.shares { add(share) }
        withoutDevice += other.withoutDevice
        sample += other.sample.prefix(max(0, sampleMax - sample.count))
    }

    private mutating func add(_ share: Share) {
        let place = shares.firstIndex {
            ($0.platform, $0.isTemplate) == (share.platform, share.isTemplate)
        }
        if let place {
            shares[place].registrations += share.registrations
            return
        }
        let behind = shares.firstIndex { $0.order > share.order } ?? shares.count
        shares.insert(share, at: behind)
    }
}

extension InspectedAudience.Share {
    fileprivate var order: (UInt8, Int) { (platform.rawValue, isTemplate ? 1 : 0) }
}

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
