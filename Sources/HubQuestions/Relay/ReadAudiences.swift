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

    /// The platform.
    package let platform: Platform
    /// The records.
    package let headers: [RecordHeader]

    /// Asks for the audiences of records.
    package init(_ platform: Platform, of headers: [RecordHeader]) {
        self.platform = platform
        self.headers = headers
    }

    /// One audience for each record, ascending by number; for the first records alone when they
    /// reach very many.
    package func answer(_ hub: HubView) throws(Refusal) -> [[UInt32]] {
        try hub.reading { () throws(StoreError) in
            var found: [[UInt32]] = []
            var count = 0
            for header in headers where count < Self.numbersMax {
                found.append(try audience(of: header, hub.table))
                count += found.last?.count ?? 0
            }
            return found
        }
    }

    private func audience(
        of header: RecordHeader,
        _ table: RegistrationTable
    ) throws(StoreError) -> [UInt32] {
        switch header.format {
        case .native(let wanted) where wanted != platform: return []
        case .native, .template: break
        }
        switch header.target {
        case .handles, .slots: return []
        case .broadcast, .tags: break
        }
        let certain = table.numbers(of: header.target).filter { number in
            guard let facts = table.facts(of: number) else { return false }
            return facts.tagsSince <= header.sequence && isMeant(facts, header.format)
        }
        let unclear = table.numbers(taggedBehind: header.sequence).filter { number in
            table.facts(of: number).map { isMeant($0, header.format) } ?? false
        }
        guard !unclear.isEmpty else { return certain.map(\.raw) }
        let earlier = try table.registrations(unclear, remembers: false)
            .filter { header.matches($0) }.map(\.number)
        return (certain + earlier).sorted().map(\.raw)
    }

    /// Whether a registration's handle is not of a device of the hub, and sends of the format are
    /// for it.
    private func isMeant(_ facts: RegistrationFacts, _ format: NotificationFormat) -> Bool {
        facts.platform == platform && facts.target == nil && !facts.isUndeliverable
            && facts.isMeant(by: format)
    }
}
