package import HubDirectory
package import HubModel
package import HubVocabulary

/// Counts the registrations above a number that a notification would reach now, with some of them.
package struct InspectAudience: HubQuestion {
    /// Which registrations.
    package let target: NotificationTarget
    /// Which platform and kind; nil for all.
    package let format: NotificationFormat?
    /// How many are shown.
    package let sample: Int
    /// Where the part begins.
    package let from: UInt32

    /// Asks for one part.
    package init(
        _ target: NotificationTarget,
        format: NotificationFormat?,
        sample: Int,
        from: UInt32
    ) {
        self.target = target
        self.format = format
        self.sample = sample
        self.from = from
    }

    package func answer(_ hub: HubView) throws(Refusal) -> InspectedPart<InspectedAudience> {
        try hub.reading { () throws(StoreError) in try part(hub) }
    }

    private func part(_ hub: HubView) throws(StoreError) -> InspectedPart<InspectedAudience> {
        let sampleMax = max(0, min(sample, hub.limits.inspection.sampleMax))
        var found = InspectedAudience()
        var chosen: [RegistrationNumber] = []
        let end = UInt32(clamping: UInt64(from) + UInt64(hub.limits.inspection.inspectedPerPart))
        let last = min(end, hub.table.numberMax)
        guard from < last else { return InspectedPart(found, next: nil) }
        for number in try numbers(hub, in: from + 1...last) {
            guard let facts = hub.table.facts(of: number), !facts.isExpired(hub.now.time),
                format.map(facts.isMeant) ?? true
            else { continue }
            found.take(facts)
            if chosen.count < sampleMax { chosen.append(number) }
        }
        found.sample = try hub.table.registrations(chosen, remembers: false)
        return InspectedPart(found, next: last < hub.table.numberMax ? last : nil)
    }

    /// The live registrations among some that a target means by their present tags, ascending.
    private func numbers(
        _ hub: HubView,
        in range: ClosedRange<UInt32>
    ) throws(StoreError) -> [RegistrationNumber] {
        switch target {
        case .broadcast: return hub.table.numbers(in: range)
        case .tags: return hub.table.numbers(of: target).filter { range.contains($0.raw) }
        case .handles(let handles):
            return try hub.table.numbers(handles: handles, in: range)
        case .slots(let targets):
            return targets.compactMap { hub.table.number(of: $0) }
                .filter { range.contains($0.raw) }.sorted()
        }
    }
}
