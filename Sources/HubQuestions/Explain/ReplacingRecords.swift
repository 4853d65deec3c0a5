import HubDirectory
import HubModel
import HubVocabulary

/// Finds the notification that replaced another, in the list of its collapse key.
///
/// The records that were read for one registration of a device serve the others. For all of them
/// together it looks at a limited number of records. Source: rules B.10.
final class ReplacingRecords {
    /// The notification that may have been replaced.
    let record: NotificationRecord
    private let head: UInt64
    private let reader: any LogReading
    private var headers: [UInt64: RecordHeader] = [:]
    private var recordsLeft: Int
    private var placesLeft: Int

    /// Whether no more is read: what replaced the record may then not be found.
    var isExhausted: Bool { recordsLeft <= 0 || placesLeft <= 0 }

    /// Places of the key's list that are looked at in one step.
    private static let step = 256

    init(
        of record: NotificationRecord,
        through head: UInt64,
        _ reader: any LogReading,
        _ limits: CoreLimits
    ) {
        self.record = record
        self.head = head
        self.reader = reader
        recordsLeft = limits.inspection.explainedRecordsMax
        placesLeft = limits.inspection.explainedPlacesMax
    }

    /// The first later record with the same key that `matches`, of those in some lists.
    ///
    /// - Throws: what the reading throws.
    func first(
        in anchors: Set<AnchorKey>,
        where matches: (RecordHeader) -> Bool
    ) throws(StoreError) -> RecordHeader? {
        let key = record.draft.collapseKey
        guard !key.isEmpty else { return nil }
        var place = record.sequence
        while place < head, recordsLeft > 0, placesLeft > 0 {
            let found = try candidates(with: AnchorKey(collapseKey: key), in: anchors, after: place)
            for header in try read(found.sequences)
            where header.collapseKey == key && !header.isTransient && matches(header) {
                return header
            }
            place = max(found.through, place + 1)
        }
        return nil
    }

    /// The next places of the key's list.
    ///
    /// When there are many of them, only those that one of the other lists has too: reading a record
    /// costs more than a place in a list.
    private func candidates(
        with key: AnchorKey,
        in anchors: Set<AnchorKey>,
        after place: UInt64
    ) throws(StoreError) -> LogCandidates {
        let named = try reader.candidates(
            anchors: [key],
            after: place,
            through: head,
            limit: Self.step
        )
        placesLeft -= named.sequences.count
        guard named.through < head else { return named }
        let own = try reader.candidates(
            anchors: anchors,
            after: place,
            through: named.through,
            limit: 16 * Self.step
        )
        placesLeft -= own.sequences.count
        let both = Set(own.sequences)
        return LogCandidates(
            sequences: named.sequences.filter { both.contains($0) },
            through: min(named.through, own.through)
        )
    }

    /// The headers at these places, as many as may still be read.
    private func read(_ places: [UInt64]) throws(StoreError) -> [RecordHeader] {
        let missing = places.filter { headers[$0] == nil }.prefix(recordsLeft)
        recordsLeft -= missing.count
        if !missing.isEmpty {
            for header in try reader.headers(at: missing) { headers[header.sequence] = header }
        }
        return places.compactMap { headers[$0] }
    }
}
