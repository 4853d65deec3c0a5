/// Says when a shard should give freed memory back: once connections have stopped coming and going.
///
/// A handshake takes some ten times the memory that its connection keeps, and leaves its pages among
/// those of others.
struct FreeMemoryWatch {
    /// Connections that begin or end before it is worth it.
    static let changesMin: UInt64 = 512
    /// How long none does.
    static let quietNanoseconds: UInt64 = 500_000_000

    private var changes: UInt64 = 0
    private var changedAt: UInt64 = 0
    private var returned: UInt64 = 0

    /// Nothing has happened.
    init() {}

    /// Whether there is something that should go back before long.
    var waits: Bool { changes - returned >= Self.changesMin }

    /// Whether it should be now, with so many connections that began and ended so far.
    mutating func isDue(_ changes: UInt64, at nanoseconds: UInt64) -> Bool {
        if changes != self.changes {
            self.changes = changes
            changedAt = nanoseconds
        }
        return waits && nanoseconds >= changedAt + Self.quietNanoseconds
    }

    /// It has been given back.
    mutating func hasReturned() { returned = changes }
}
