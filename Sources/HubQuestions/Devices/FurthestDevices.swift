import HubModel
import HubVocabulary

/// Of devices that are handed in one by one, so many that are furthest behind.
///
/// One that comes behind all of these costs a comparison.
struct FurthestDevices {
    private let limit: Int
    private let head: UInt64
    /// At most twice as many as are wanted.
    private var found: [(rank: DeviceRank, cursor: StoredCursor)] = []
    /// None behind it is wanted.
    private var last: DeviceRank?

    /// Looks for devices that come before a rank, where one is given.
    init(limit: Int, head: UInt64, before last: DeviceRank?) {
        (self.limit, self.head, self.last) = (limit, head, last)
    }

    /// Takes the devices of places as they lie; a free place names none.
    mutating func take(_ places: Span<StoredCursor>) {
        for place in places.indices where places[place].device != .none { take(places[place]) }
    }

    /// Takes one of the devices.
    mutating func take(_ cursor: StoredCursor) {
        let behind = ListedDevice.behind(cursor, head: head)
        let rank = DeviceRank(behind: behind, device: cursor.device)
        if let last, !(rank < last) { return }
        found.append((rank, cursor))
        if found.count >= 2 * limit { cut() }
    }

    /// Those that are wanted, in their order.
    mutating func cursors() -> [StoredCursor] {
        cut()
        return found.map(\.cursor)
    }

    private mutating func cut() {
        found.sort { $0.rank < $1.rank }
        guard found.count >= limit else { return }
        found.removeLast(found.count - limit)
        last = found.last?.rank
    }
}
