import HubVocabulary
import TLSRecords

/// All connections of a reactor by slot, in one piece of memory that never moves.
@safe final class ConnectionTable {
    private let rows: UnsafeMutablePointer<ConnectionRow>
    private let capacity: Int
    /// Who the peers are, by slot, beside the rows, which are looked at more often.
    private let addresses: UnsafeMutablePointer<SocketAddress>
    /// Record layers by slot, beside the rows so that those without one stay small; nil until the
    /// first is needed.
    private var layers: UnsafeMutablePointer<RecordLayer>?
    private var freed: [UInt32] = []
    /// Slots that were ever used.
    private(set) var count: UInt32 = 0
    /// Slots in use.
    private(set) var occupied = 0

    init(capacity: Int) {
        // Rows are initialised when first used; untouched pages cost nothing.
        unsafe rows = .allocate(capacity: capacity)
        unsafe addresses = .allocate(capacity: capacity)
        unsafe layers = nil
        self.capacity = capacity
    }

    deinit {
        // Exactly the first `count` rows were initialised.
        unsafe rows.deinitialize(count: Int(count))
        unsafe rows.deallocate()
        // Plain values.
        unsafe addresses.deallocate()
        // Layers are plain bytes, wiped by the sessions in the rows.
        unsafe layers?.deallocate()
    }

    /// Where a slot's record layer goes; the memory never moves and holds none yet, or a wiped one.
    func layer(of slot: UInt32) -> UnsafeMutablePointer<RecordLayer> {
        precondition(slot < count, "no such slot")
        // As with rows, pages that are not touched cost nothing.
        let layers = unsafe self.layers ?? .allocate(capacity: capacity)
        unsafe self.layers = layers
        return unsafe layers + Int(slot)
    }

    /// Who the peer of a connection is, noted in `claim` or `tell`.
    func address(of slot: UInt32) -> SocketAddress {
        precondition(slot < count, "no such slot")
        // Below `count`, so initialised.
        return unsafe addresses[Int(slot)]
    }

    /// Notes who the peer is, as a balancer told.
    func tell(_ address: SocketAddress, of slot: UInt32) {
        precondition(slot < count, "no such slot")
        // Below `count`, so initialised.
        unsafe addresses[Int(slot)] = address
    }

    /// The row of a slot below `count`, in place.
    subscript(_ slot: UInt32) -> ConnectionRow {
        _read {
            precondition(slot < count, "no such slot")
            // Below `count`, so initialised; rows never move.
            yield unsafe rows[Int(slot)]
        }
        _modify {
            precondition(slot < count, "no such slot")
            // As above.
            yield unsafe &rows[Int(slot)]
        }
    }

    /// The slot of a connection that is not released yet.
    func slot(of connection: ConnectionID) -> UInt32? {
        let slot = connection.slot
        guard slot < count, self[slot].generation == connection.generation else { return nil }
        return slot
    }

    func id(_ slot: UInt32) -> ConnectionID {
        ConnectionID(slot: slot, generation: self[slot].generation)
    }

    /// A free slot for a connection with this peer, nil when all are in use.
    func claim(for address: SocketAddress) -> UInt32? {
        if let slot = freed.popLast() {
            // It was used before, so there is a value.
            unsafe addresses[Int(slot)] = address
            occupied += 1
            return slot
        }
        guard Int(count) < capacity else { return nil }
        // The first row never used.
        unsafe (rows + Int(count)).initialize(to: ConnectionRow())
        unsafe (addresses + Int(count)).initialize(to: address)
        count += 1
        occupied += 1
        return count - 1
    }

    /// The cold part of a row, made if it has none.
    func record(of slot: UInt32) -> ConnectionRecord {
        if let known = self[slot].record { return known }
        let made = ConnectionRecord()
        self[slot].record = made
        return made
    }

    /// Frees the cold part of a row that needs it no more.
    func tidy(_ slot: UInt32) {
        if self[slot].record?.isEmpty == true { self[slot].record = nil }
    }

    /// Frees everything the row holds; names given for it find nothing from now on.
    func release(_ slot: UInt32) {
        let generation = self[slot].generation &+ 1
        self[slot] = ConnectionRow()
        self[slot].generation = max(generation, 1)
        freed.append(slot)
        occupied -= 1
    }
}
