/// The cursors of all devices, 53 to 58 bytes each: an array, and an index of open addressing by
/// device.
///
/// A cursor keeps its place until it is removed; places are used again. Which ones changed since
/// they were last taken is noted by place. The hash is keyed, so that nobody chooses devices that
/// collide.
package struct CursorTable {
    /// The cursors; a free place names no device.
    private var cursors: [StoredCursor] = []
    /// By hash: place + 1, or 0 where nothing is.
    ///
    /// A power of two, at most three quarters in use.
    private var index: [UInt32] = [UInt32](repeating: 0, count: 16)
    private var free: [UInt32] = []
    /// One bit for each place.
    private var changed: [UInt64] = []
    private let seed: UInt64

    /// How many cursors there are.
    package private(set) var count = 0
    /// How many of them changed since they were last taken.
    package private(set) var changedCount = 0

    /// An empty table.
    package init(seed: UInt64) { self.seed = seed }

    /// How many places there are, free ones included.
    package var placeCount: Int { cursors.count }

    /// The cursor in a place; nil in a free one.
    package func cursor(at place: Int) -> StoredCursor? {
        cursors[place].device == .none ? nil : cursors[place]
    }

    /// The cursor of a device.
    package subscript(device: DeviceID) -> StoredCursor? {
        place(of: device).map { cursors[$0] }
    }

    /// Puts a cursor in, or in the place of its device's former one, which is returned.
    @discardableResult
    package mutating func put(_ cursor: StoredCursor, isChanged: Bool) -> StoredCursor? {
        precondition(cursor.device != .none, "a cursor belongs to a device")
        let former: StoredCursor?
        let place: Int
        if let known = self.place(of: cursor.device) {
            former = cursors[known]
            cursors[known] = cursor
            place = known
        } else {
            former = nil
            place = add(cursor)
        }
        if isChanged { note(place) }
        return former
    }

    /// Takes a device's cursor out.
    @discardableResult
    package mutating func remove(_ device: DeviceID) -> StoredCursor? {
        guard let entry = entry(of: device) else { return nil }
        let place = Int(index[entry]) - 1
        let former = cursors[place]
        close(entry)
        cursors[place].device = .none
        free.append(UInt32(place))
        count -= 1
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
        count += 1
        if count * 4 > index.count * 3 { grow() }
        let place: Int
        if let known = free.popLast() {
            place = Int(known)
            cursors[place] = cursor
        } else {
            place = cursors.count
            cursors.appendSparingly(cursor)
            if place % 64 == 0 { changed.append(0) }
        }
        enter(place)
        return place
    }

    private mutating func note(_ place: Int) {
        let bit = UInt64(1) << UInt64(place % 64)
        guard changed[place / 64] & bit == 0 else { return }
        changed[place / 64] |= bit
        changedCount += 1
    }

    private func place(of device: DeviceID) -> Int? {
        entry(of: device).map { Int(index[$0]) - 1 }
    }

    // MARK: Index

    private func home(of device: DeviceID) -> Int {
        var hash = (device.low ^ seed) &* 0x9E37_79B9_7F4A_7C15
        hash ^= hash >> 32
        hash = (hash ^ device.high) &* 0xD6E8_FEB8_6659_FD93
        hash ^= hash >> 32
        return Int(truncatingIfNeeded: hash) & (index.count - 1)
    }

    private func entry(of device: DeviceID) -> Int? {
        var entry = home(of: device)
        while index[entry] != 0 {
            if cursors[Int(index[entry]) - 1].device == device { return entry }
            entry = (entry + 1) & (index.count - 1)
        }
        return nil
    }

    private mutating func enter(_ place: Int) {
        var entry = home(of: cursors[place].device)
        while index[entry] != 0 { entry = (entry + 1) & (index.count - 1) }
        index[entry] = UInt32(place + 1)
    }

    /// Empties an entry and moves those behind it that would not be found any more.
    private mutating func close(_ entry: Int) {
        let mask = index.count - 1
        var gap = entry
        var next = (entry + 1) & mask
        while index[next] != 0 {
            let home = home(of: cursors[Int(index[next]) - 1].device)
            if (next &- home) & mask >= (next &- gap) & mask {
                index[gap] = index[next]
                gap = next
            }
            next = (next + 1) & mask
        }
        index[gap] = 0
    }

    private mutating func grow() {
        index = [UInt32](repeating: 0, count: index.count * 2)
        for place in cursors.indices where cursors[place].device != .none { enter(place) }
    }
}
