import HubModel
import HubParcel
import HubVocabulary

/// The deliveries of one turn of a shard to the sessions of one hub.
struct TurnLists {
    /// The outcome for a registration of the record that is being fanned out.
    enum Made {
        /// This turn's number of its parcel.
        case parcel(Int32)
        /// Its parcel would be too large.
        case oversized
        /// Its parcel has expired.
        case expired
    }

    private(set) var parcels: [TurnParcel] = []
    /// The deliveries of all sessions.
    var entries: [TurnEntry] = []
    /// Entries written of each of `parcels`.
    var sent: [UInt32] = []
    /// Sessions that got entries or became due this turn; the shard flushes their connections.
    var due: [SessionIndex] = []
    /// Sessions that were flushed and could go on at once; due in the next turn.
    var again: [SessionIndex] = []
    /// The numbers of this turn's collapse keys, and whether one came twice.
    private var keys: [[UInt8]: Int32] = [:]
    private(set) var repeatsKey = false
    /// The number of the key of the record that is being fanned out.
    private var recordKey: Int32 = 0
    /// When that record was durable.
    private var recordDurable = Instant(nanoseconds: 0)
    private var made: [ParcelVariant: Made] = [:]
    /// This turn's number of `TurnParcel.nothing` in the place of the record that is being fanned
    /// out; nil until it is needed.
    private var empty: Int32?

    // MARK: Fan-out

    /// Begins with the next record.
    mutating func begin(_ record: NotificationRecord, durable: Instant) {
        recordKey = number(of: record)
        recordDurable = durable
        made.removeAll(keepingCapacity: true)
        empty = nil
    }

    /// This turn's number of a record's collapse key; 0 when it takes no part in collapsing.
    private mutating func number(of record: NotificationRecord) -> Int32 {
        let key = record.draft.collapseKey
        guard !key.isEmpty, !record.isTransient else { return 0 }
        if let known = keys[key] {
            repeatsKey = true
            return known
        }
        let number = Int32(keys.count + 1)
        keys[key] = number
        return number
    }

    /// The outcome for registrations of a variant; nil until it was made.
    subscript(variant: ParcelVariant) -> Made? {
        get { made[variant] }
        set { made[variant] = newValue }
    }

    /// Adds a parcel of the record.
    mutating func add(
        _ parcel: Parcel,
        of record: NotificationRecord,
        previousCheck: UInt32,
        platform: Platform
    ) -> Int32 {
        parcels.append(
            TurnParcel(
                parcel: parcel,
                sequence: record.sequence,
                previousCheck: previousCheck,
                platform: platform,
                collapse: parcel.isTransient ? 0 : recordKey,
                durable: recordDurable
            )
        )
        sent.append(0)
        return Int32(parcels.count - 1)
    }

    /// The number of what stands in a list for a match of the record that is not sent; nil when
    /// nothing of this turn could be replaced by it.
    mutating func emptyParcel(of record: NotificationRecord, previousCheck: UInt32) -> Int32? {
        guard repeatsKey, recordKey != 0 else { return nil }
        if let empty { return empty }
        let added = add(
            TurnParcel.nothing,
            of: record,
            previousCheck: previousCheck,
            platform: .apple
        )
        empty = added
        return added
    }

    // MARK: Lists

    /// The parcel of an entry.
    func parcel(of index: Int) -> TurnParcel { parcels[Int(entries[index].parcel)] }

    /// The first parcel in a session's list; nil when it has none.
    func first(of list: EntryList) -> TurnParcel? { list.first.value.map { parcel(of: $0) } }

    /// Calls `body` with the parcels of a session's list, in order.
    func forEach(of list: EntryList, _ body: (TurnParcel) -> Void) {
        var next = list.first
        while let index = next.value {
            body(parcel(of: index))
            next = entries[index].next
        }
    }

    /// Keeps of a session's list what is asked for; asks from the last to the first.
    mutating func filter(_ list: EntryList, _ isKept: (TurnEntry) -> Bool) -> EntryList {
        var indices: [Int] = []
        var next = list.first
        while let index = next.value {
            indices.append(index)
            next = entries[index].next
        }
        var kept = EntryList()
        for index in indices.reversed() where isKept(entries[index]) {
            kept.prepend(index, in: &entries)
        }
        return kept
    }

    /// Takes out of a session's list what a later match with the same key and slot replaces, and the
    /// matches that are not sent.
    ///
    /// Returns what was replaced.
    ///
    /// Source: rules B.10.
    mutating func dropReplaced(_ list: inout EntryList) -> [TurnParcel] {
        guard repeatsKey else { return [] }
        var seen: Set<UInt64> = []
        var dropped: [TurnParcel] = []
        let parcels = parcels
        // From the last to the first.
        list = filter(list) { entry in
            let turn = parcels[Int(entry.parcel)]
            let scope = UInt64(turn.collapse) << 16 | UInt64(entry.slot)
            let isNewest = turn.collapse == 0 || seen.insert(scope).inserted
            let isSent = turn.parcel !== TurnParcel.nothing
            if isSent, !isNewest { dropped.append(turn) }
            return isSent && isNewest
        }
        return dropped
    }

    /// Ends the turn; sessions that could go on are due in the next one.
    mutating func end() {
        due.removeAll(keepingCapacity: true)
        swap(&due, &again)
        entries.removeAll(keepingCapacity: true)
        parcels.removeAll(keepingCapacity: true)
        sent.removeAll(keepingCapacity: true)
        keys.removeAll(keepingCapacity: keys.count < 1_024)
        repeatsKey = false
    }
}
