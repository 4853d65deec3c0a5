import HubRelay
import HubVocabulary

/// What holds when everything has healed and drained.
extension LaneSimulation {
    mutating func checkAll() {
        // The refused one, and what came since.
        checkpoint()
        checkpoint()
        if !lane.isIdle { violations.append("requests without an answer") }
        for record in log.records {
            let counted = store.counts[record.sequence] ?? 0
            if counted != record.audience.count {
                violations.append(
                    "record \(record.sequence): \(counted) of \(record.audience.count) counted"
                )
            }
            guard !mayEndUnsent(record) else { continue }
            for registration in record.audience where !mayRefuse(registration) {
                let match = SimulatedMatch(sequence: record.sequence, registration: registration)
                if journal.taken[match] == nil, !journal.suspected.contains(match),
                    !log.isReplaced(match)
                {
                    violations.append("\(match) was never taken")
                }
            }
        }
        for registration in store.removed
        where !Self.isDead(registration) && !Self.isBad(registration) {
            violations.append("\(registration) was removed and is alive")
        }
        if lane.needed <= log.head {
            violations.append("the log must keep \(lane.needed) of \(log.head)")
        }
    }

    /// Whether a record's time was over, or it was purged or given up.
    private func mayEndUnsent(_ record: LaneRecord) -> Bool {
        record.expires <= now.time || record.sequence <= max(store.purged, journal.givenUp.ever)
    }

    /// Whether the service takes nothing for a registration, or it was removed.
    private func mayRefuse(_ registration: UInt32) -> Bool {
        store.removed.contains(registration) || Self.isDead(registration)
            || Self.refusesContent(registration)
    }
}
