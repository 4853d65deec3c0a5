import HubModel
import HubRelay
import HubVocabulary

/// The hub's log: what was sent to whom, until when, and in whose place.
struct SimulatedLog {
    private(set) var records: [LaneRecord] = []
    /// The collapse keys of records with their targets, whatever the host tells.
    private(set) var keys: [UInt64: UInt64] = [:]

    var head: UInt64 { UInt64(records.count) }

    mutating func append(_ record: LaneRecord, key: UInt64?) {
        keys[record.sequence] = key
        records.append(record)
    }

    /// The records behind a place for which a lane has room, and how far it has read with them.
    func read(
        after place: UInt64,
        large: Int,
        small: Int,
        matchesOfSmallMax: Int
    ) -> (found: [LaneRecord], through: UInt64) {
        var (large, small) = (large, small)
        var found: [LaneRecord] = []
        for record in records.dropFirst(Int(place)) {
            let isLarge = record.audience.count > matchesOfSmallMax
            guard isLarge ? large > 0 : small > 0 else { return (found, record.sequence - 1) }
            if isLarge { large -= 1 } else { small -= 1 }
            found.append(record)
        }
        return (found, head)
    }

    /// Whether a newer record with the same collapse key and target is for the registration too.
    func isReplaced(_ match: SimulatedMatch) -> Bool {
        guard let key = keys[match.sequence] else { return false }
        return records.dropFirst(Int(match.sequence)).contains {
            keys[$0.sequence] == key && $0.audience.contains(match.registration)
        }
    }
}
