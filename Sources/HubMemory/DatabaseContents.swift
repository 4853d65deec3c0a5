import HubCluster
import HubModel
import HubVocabulary

/// The tables of a model of a database, of one hub.
struct DatabaseContents: Sendable {
    /// Something that writes; false when it was refused by the fence.
    typealias Request = @Sendable (inout DatabaseContents) -> Bool

    /// nil until there was a leader.
    var place: GroupPlace?
    /// Ascending.
    var records: [(number: UInt64, part: EncodedRecords)] = []
    /// Ascending.
    var changes: [(number: UInt64, part: EncodedChanges)] = []
    var items: [ItemKey: StoredItem] = [:]
    var progress = MemoryProgress()
    /// The fates of the next requests; those behind are answered.
    var fates: [RequestFate] = []
    /// Requests whose senders have given up.
    var late: [Request] = []
    /// Nothing can be read.
    var reads: StoreError?

    mutating func store(_ group: EncodedGroup, _ effect: GroupEffect) {
        if let part = group.records { records.append((group.number, part)) }
        if let part = group.changes { changes.append((group.number, part)) }
        for item in effect.puts { items[item.key] = item }
        for key in effect.removals { items[key] = nil }
    }

    /// Removes what lies outside an extent, which `place` knows already.
    mutating func trim(_ extent: TrimExtent) {
        guard let place else { return }
        records.removeAll { $0.part.last < place.first }
        changes.removeAll { $0.number < place.changesFirst }
        items = items.filter { _, item in
            guard let gone = item.gone else { return true }
            switch item.key.kind {
            case .registration: return gone >= place.first
            case .scheduleKey: return gone >= extent.keysBefore.milliseconds
            case .departure: return UInt64(bigEndian: item.key.bytes) >= extent.departuresBelow
            case .installation, .schedule, .cancelled, .generation, .settings, .job: return true
            }
        }
    }

    /// Groups behind a copy's place, in pieces of about so many bytes.
    func groups(after copy: CopyPlace, bytesMax: Int) throws(StoreError) -> GroupsRead {
        guard let place else { throw .unavailable(reason: "no such hub") }
        let newRecords = records.filter { $0.part.first > copy.head }
        let newChanges = changes.filter { $0.number > copy.feed }
        var groups: [EncodedGroup] = []
        var bytes = 0
        for number in Set(newRecords.map(\.number) + newChanges.map(\.number)).sorted() {
            let records = newRecords.first { $0.number == number }?.part
            let changes = newChanges.first { $0.number == number }
            let group = EncodedGroup(
                number: number,
                changes: changes?.part,
                records: records
            )
            bytes += group.weight
            guard groups.isEmpty || bytes <= bytesMax else { break }
            groups.append(group)
        }
        return GroupsRead(
            place: place,
            groups: groups,
            known: changes.first { $0.number == copy.lastChange }.map { ChangeMark(of: $0, $1) },
            newest: changes.last.map { ChangeMark(of: $0, $1) },
            oldestKey: items.values.lazy.filter { $0.key.kind == .scheduleKey }
                .compactMap(\.gone).min().map { Timestamp(milliseconds: $0) }
        )
    }
}
