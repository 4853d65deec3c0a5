package import HubDirectory
package import HubModel
package import HubVocabulary

/// The registrations of one platform that records reach by handles of its service.
///
/// As when each record was accepted: registrations that have other tags since are judged by those of
/// then, and those that are gone are left out.
package struct ReadAudiences: HubQuestion {
    /// Registrations of an answer after which no more records are looked at.
    private static let numbersMax = 262_144
    /// Registrations that an answer reads from the store, some milliseconds of work.
    package static let readsMax = 1_024
    /// Registrations whose facts an answer looks at for former tags, but for those of one record.
    private static let looksMax = 4_194_304

    /// The platform.
    package let platform: Platform
    /// The records.
    package let headers: [RecordHeader]
    /// The number up to which the audience of the first record is known.
    package let above: UInt32?

    /// Asks for the audiences of records, and of the first one for what is above a number.
    package init(_ platform: Platform, of headers: [RecordHeader], above: UInt32? = nil) {
        self.platform = platform
        self.headers = headers
        self.above = above
    }

    /// The work that one turn may do yet.
    private struct Budget {
        var numbers = ReadAudiences.numbersMax
        var reads = ReadAudiences.readsMax
        var looks = ReadAudiences.looksMax

        var isSpent: Bool { numbers <= 0 || reads <= 0 || looks <= 0 }
    }

    /// One audience for each record, ascending by number; for the first records alone when they
    /// reach very many, or when many registrations have other tags since.
    package func answer(_ hub: HubView) throws(Refusal) -> FoundAudiences {
        try hub.reading { () throws(StoreError) in
            var found = FoundAudiences([])
            var budget = Budget()
            for (place, header) in headers.enumerated() where !budget.isSpent {
                let start = place == 0 ? above : nil
                let part = try audience(of: header, above: start, hub, &budget)
                found.audiences.append(part.numbers)
                budget.numbers -= part.numbers.count
                found.next = part.next
                if found.next != nil { break }
            }
            return found
        }
    }

    private func audience(
        of header: RecordHeader,
        above: UInt32?,
        _ hub: HubView,
        _ budget: inout Budget
    ) throws(StoreError) -> (numbers: [UInt32], next: UInt32?) {
        switch header.format {
        case .native(let wanted) where wanted != platform: return ([], nil)
        case .native, .template: break
        }
        switch header.target {
        case .slots: return ([], nil)
        case .handles(let handles): return (direct(handles, hub), nil)
        case .broadcast, .tags: break
        }
        let table = hub.table
        let unclear = table.numbers(
            taggedBehind: header.sequence,
            above: above,
            limit: budget.reads,
            looks: &budget.looks
        ) { isMeant($0, header.format) }
        budget.reads -= unclear.count
        // A full part ends at its last registration; the next one begins behind it.
        let next = budget.reads <= 0 ? unclear.last?.raw : nil
        let certain = table.numbers(of: header.target).filter { number in
            guard above.map({ number.raw > $0 }) ?? true, number.raw <= next ?? .max,
                let facts = table.facts(of: number)
            else { return false }
            return facts.tagsSince <= header.sequence && isMeant(facts, header.format)
        }
        guard !unclear.isEmpty else { return (certain.map(\.raw), next) }
        let earlier = try table.registrations(unclear, remembers: false)
            .filter { header.matches($0) }.map(\.number)
        return ((certain + earlier).sorted().map(\.raw), next)
    }

    /// The handles of a direct send that lead to no device that the hub knows.
    ///
    /// A device that has left nothing may hold one of the others: the lane finds out when it looks
    /// whether Belfry made the handle.
    private func direct(_ handles: [[UInt8]], _ hub: HubView) -> [UInt32] {
        var numbers: [UInt32] = []
        numbers.reserveCapacity(handles.count)
        for (number, handle) in DirectHandles.byNumber(handles)
        where !hub.isOfKnownDevice(handle, platform: platform) {
            numbers.append(number)
        }
        return numbers.sorted()
    }

    /// Whether a registration's handle is not of a device of the hub, and sends of the format are
    /// for it.
    private func isMeant(_ facts: RegistrationFacts, _ format: NotificationFormat) -> Bool {
        facts.platform == platform && facts.target == nil && !facts.isUndeliverable
            && facts.isMeant(by: format)
    }
}
