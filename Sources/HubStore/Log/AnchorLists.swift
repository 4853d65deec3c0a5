import HubModel

/// Which records of a slice have an anchor: ascending sequence numbers for each.
///
/// Most anchors have one record, the name of a user for instance: that one stands in the table
/// itself. About 16 bytes an entry with anchors as they are.
struct AnchorLists: Sendable {
    /// Where an anchor's records are: a distance from the lowest record, plus one, or with the top bit
    /// an index into `lists`.
    private enum Place {
        static let none: UInt32 = 0
        static let listMark: UInt32 = 1 << 31
    }

    /// Tags are strangers' words: no one may know which of them lie side by side.
    private static let seed = UInt64.random(in: .min ... .max)

    /// Open addressing: an anchor is in its first place or in one of those behind it, before a free one.
    ///
    /// At most five of six places are taken, and at least two of three once it has grown.
    private var anchorsByPlace: [UInt64] = []
    private var places: [UInt32] = []
    private var anchorCount = 0
    private var lists: [[UInt64]] = []
    /// The first record that was added.
    private var lowest: UInt64 = 0
    /// Entries of all lists.
    private(set) var count = 0

    /// Adds a record above all that were added.
    mutating func append(_ sequence: UInt64, anchors: some Sequence<AnchorKey>) {
        if count == 0 { lowest = sequence }
        for anchor in anchors { append(sequence, anchor.raw) }
    }

    private mutating func append(_ sequence: UInt64, _ anchor: UInt64) {
        count += 1
        if (anchorCount + 1) * 6 > places.count * 5 { grow() }
        let index = index(of: anchor)
        let place = places[index]
        if place == Place.none {
            anchorsByPlace[index] = anchor
            anchorCount += 1
            let distance = sequence - lowest + 1
            // Only behind a hole in the numbers is a record so far away.
            places[index] =
                distance < UInt64(Place.listMark) ? UInt32(distance) : newList([sequence])
        } else if place & Place.listMark != 0 {
            lists[Int(place & ~Place.listMark)].append(sequence)
        } else {
            places[index] = newList([record(place), sequence])
        }
    }

    private mutating func newList(_ records: [UInt64]) -> UInt32 {
        lists.append(records)
        return Place.listMark | UInt32(lists.count - 1)
    }

    private func record(_ place: UInt32) -> UInt64 { lowest + UInt64(place) - 1 }

    // MARK: The table

    /// Where an anchor is, or the free place where it would be.
    private func index(of anchor: UInt64) -> Int {
        var hash = (anchor ^ Self.seed) &* 0x9E37_79B9_7F4A_7C15
        hash = (hash ^ hash >> 32) &* 0xD6E8_FEB8_6659_FD93
        // The upper half as a share of all places.
        var index = Int(truncatingIfNeeded: ((hash >> 32) &* UInt64(places.count)) >> 32)
        while places[index] != Place.none, anchorsByPlace[index] != anchor {
            index = index + 1 == places.count ? 0 : index + 1
        }
        return index
    }

    /// The place that an anchor has; nil when it has none.
    private func place(of anchor: UInt64) -> UInt32? {
        guard !places.isEmpty else { return nil }
        let place = places[index(of: anchor)]
        return place == Place.none ? nil : place
    }

    private mutating func grow() {
        let (oldAnchors, oldPlaces) = (anchorsByPlace, places)
        let size = max(16, places.count + places.count / 4)
        anchorsByPlace = Array(repeating: 0, count: size)
        places = Array(repeating: Place.none, count: size)
        for (anchor, place) in zip(oldAnchors, oldPlaces) where place != Place.none {
            let index = index(of: anchor)
            anchorsByPlace[index] = anchor
            places[index] = place
        }
    }

    // MARK: Reading

    /// Every anchor that has records, ascending.
    var anchors: [UInt64] {
        var found: [UInt64] = []
        found.reserveCapacity(anchorCount)
        for (anchor, place) in zip(anchorsByPlace, places) where place != Place.none {
            found.append(anchor)
        }
        found.sort()
        return found
    }

    /// The records of an anchor.
    func sequences(of anchor: UInt64) -> [UInt64] {
        guard let place = place(of: anchor) else { return [] }
        return place & Place.listMark == 0
            ? [record(place)] : lists[Int(place & ~Place.listMark)]
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
            guard let place = place(of: anchor.raw) else { continue }
            if place & Place.listMark == 0 {
                let record = record(place)
                if record > after, record <= through, limit > 0 { found.append(record) }
                continue
            }
            let list = lists[Int(place & ~Place.listMark)]
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
