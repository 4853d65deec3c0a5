import HubModel

/// Which records of a slice have an anchor: ascending sequence numbers for each.
///
/// Most anchors have one record, the name of a user for instance: that one stands in the table
/// itself. About 25 bytes an entry with anchors as they are.
struct AnchorLists: Sendable {
    /// The top bit says that the rest is an index into `lists`, otherwise it is the one record.
    private static let listMark: UInt64 = 1 << 63

    private var places: [UInt64: UInt64] = [:]
    private var lists: [[UInt64]] = []
    /// Entries of all lists.
    private(set) var count = 0

    /// Adds a record above all that were added.
    mutating func append(_ sequence: UInt64, anchors: some Sequence<AnchorKey>) {
        for anchor in anchors { append(sequence, anchor.raw) }
    }

    private mutating func append(_ sequence: UInt64, _ anchor: UInt64) {
        count += 1
        guard let place = places[anchor] else {
            places[anchor] = sequence
            return
        }
        if place & Self.listMark != 0 {
            lists[Int(place & ~Self.listMark)].append(sequence)
        } else {
            places[anchor] = Self.listMark | UInt64(lists.count)
            lists.append([place, sequence])
        }
    }

    /// Every anchor that has records, ascending.
    var anchors: [UInt64] { places.keys.sorted() }

    /// The records of an anchor.
    func sequences(of anchor: UInt64) -> [UInt64] {
        guard let place = places[anchor] else { return [] }
        return place & Self.listMark == 0 ? [place] : lists[Int(place & ~Self.listMark)]
    }

    /// Adds to `found` the lowest records in `(after, through]` of each of some anchors, at most
    /// `limit` of each, in no order.
    func collect(
        _ anchors: some Sequence<AnchorKey>,
        after: UInt64,
        through: UInt64,
        limit: Int,
        into found: inout [UInt64]
    ) {
        for anchor in anchors {
            guard let place = places[anchor.raw] else { continue }
            if place & Self.listMark == 0 {
                if place > after, place <= through, limit > 0 { found.append(place) }
                continue
            }
            let list = lists[Int(place & ~Self.listMark)]
            var index = list.firstIndex(above: after)
            var taken = 0
            while index < list.count, list[index] <= through, taken < limit {
                found.append(list[index])
                index += 1
                taken += 1
            }
        }
    }
}

extension [UInt64] {
    /// Where the first element above a value is in this ascending array; `count` when none is.
    fileprivate func firstIndex(above value: UInt64) -> Int {
        guard let last, last > value else { return count }
        var (low, high) = (0, count - 1)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] > value { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Sorts, drops repetitions, and keeps at most `limit`; whether more were there.
    mutating func sortUnique(limit: Int) -> Bool {
        sort()
        var kept = 0
        for index in indices where kept == 0 || self[index] != self[kept - 1] {
            self[kept] = self[index]
            kept += 1
        }
        let isCut = kept > limit
        removeSubrange(Swift.min(kept, limit)...)
        return isCut
    }
}
