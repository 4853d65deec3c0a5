package import HubModel
package import HubVocabulary

/// The cursors of all devices, some 55 bytes each: an array, and an index by device.
///
/// A cursor keeps its place until it is removed; places are used again. Which ones changed since
/// they were last taken is noted by place.
package struct CursorTable {
    /// The cursors; a free place names no device.
    private var cursors: [StoredCursor] = []
    private var index: DeviceIndex
    private var free: [UInt32] = []
    /// No device that came is above it; those of a store come ascending, and none is looked for then.
    private var highest = DeviceID.none
    /// One bit for each place.
    private var changed: [UInt64] = []
    /// How many cursors changed since they were last taken.
    package private(set) var changedCount = 0

    /// An empty table.
    package init(seed: UInt64) { index = DeviceIndex(seed: seed) }

    /// Makes room for so many cursors in all; growing on the way moves each several times.
    package mutating func reserve(_ total: Int) {
        cursors.reserveCapacity(total)
        index.reserve(total, in: cursors)
    }

    /// How many cursors there are.
    package var count: Int { index.count }

    /// How many places there are, free ones included.
    package var placeCount: Int { cursors.count }

    /// The cursor in a place; nil in a free one.
    package func cursor(at place: Int) -> StoredCursor? {
        cursors[place].device == .none ? nil : cursors[place]
    }

    /// Calls `body` with the cursors of so many places from one on, until it says no.
    ///
    /// - Returns: the place behind the last one looked at.
    package func forEach(
        from start: Int,
        looking count: Int,
        _ body: (StoredCursor) -> Bool
    ) -> Int {
        var place = start
        let end = min(start + count, cursors.count)
        while place < end {
            let cursor = cursors[place]
            place += 1
            if cursor.device != .none, !body(cursor) { break }
        }
        return place
    }

    /// Calls `body` with so many places from one on, and free ones among them, as they lie.
    ///
    /// - Returns: the place behind the last one.
    package func withPlaces(
        from start: Int,
        looking count: Int,
        _ body: (Span<StoredCursor>) -> Void
    ) -> Int {
        let start = min(start, cursors.count)
        let end = min(start + count, cursors.count)
        body(cursors.span.extracting(start..<end))
        return end
    }

    /// The cursor of a device.
    package subscript(device: DeviceID) -> StoredCursor? {
        index.place(of: device, in: cursors).map { cursors[$0] }
    }

    /// The places in `devices` of those that have no cursor, ascending; `.none` is no device.
    ///
    /// A call for each device would retain and release all arrays, and wait for memory each time.
    package func placesWithout(_ devices: [DeviceID]) -> [Int] {
        index.placesMissing(devices, in: cursors)
    }

    /// Puts a cursor in, or in the place of its device's former one, which is returned.
    @discardableResult
    package mutating func put(_ cursor: StoredCursor, isChanged: Bool) -> StoredCursor? {
        precondition(cursor.device != .none, "a cursor belongs to a device")
        let former: StoredCursor?
        let place: Int
        let isNew = highest < cursor.device
        if !isNew, let known = index.place(of: cursor.device, in: cursors) {
            former = cursors[known]
            cursors[known] = cursor
            place = known
        } else {
            former = nil
            place = add(cursor)
        }
        if isNew { highest = cursor.device }
        if isChanged { note(place) }
        return former
    }

    /// Takes a device's cursor out.
    @discardableResult
    package mutating func remove(_ device: DeviceID) -> StoredCursor? {
        guard let place = index.remove(device, in: cursors) else { return nil }
        let former = cursors[place]
        cursors[place].device = .none
        free.append(UInt32(place))
        let bit = UInt64(1) << UInt64(place % 64)
        if changed[place / 64] & bit != 0 {
            changed[place / 64] ^= bit
            changedCount -= 1
        }
        return former
    }

    /// Every cursor that changed since the last call, by device.
    package mutating func takeChanged() -> [StoredCursor] {
        var taken: [StoredCursor] = []
        taken.reserveCapacity(changedCount)
        for word in changed.indices {
            while changed[word] != 0 {
                let bit = changed[word].trailingZeroBitCount
                changed[word] &= changed[word] - 1
                taken.append(cursors[word * 64 + bit])
            }
        }
        changedCount = 0
        taken.sort { $0.device < $1.device }
        return taken
    }

    // MARK: Places

    private mutating func add(_ cursor: StoredCursor) -> Int {
        let place: Int
        if let known = free.popLast() {
            place = Int(known)
            cursors[place] = cursor
        } else {
            place = cursors.count
            cursors.appendSparingly(cursor)
            if place % 64 == 0 { changed.append(0) }
        }
        index.insert(place, in: cursors)
        return place
    }

    private mutating func note(_ place: Int) {
        let bit = UInt64(1) << UInt64(place % 64)
        guard changed[place / 64] & bit == 0 else { return }
        changed[place / 64] |= bit
        changedCount += 1
    }
}

extension StoredCursor: DeviceRow {}
