import TLSRecords

/// Where a connection is in its life.
///
///     connecting ─▶ handshaking ─▶ open ─▶ closing ─▶ lingering ─▶ dead ─▶ free
///                        └────────────────────▲ (alert)
///     and from every state to dead.
enum Phase: UInt8 {
    /// The slot is not in use.
    case free
    /// A connection of ours that TCP has not decided.
    case connecting
    /// TLS is being agreed.
    case handshaking
    /// The handler knows it and may write.
    case open
    /// Last bytes are being sealed and sent; nothing is read but to throw it away.
    case closing
    /// All is sent; the peer's end of the stream is awaited, so that the kernel does not reset
    /// the stream and destroy what the peer has not read yet.
    case lingering
    /// Released at the end of the turn.
    case dead
}

/// Facts about a connection that the loop looks at often.
struct ConnectionFlags: OptionSet {
    let rawValue: UInt16

    /// Accepted by the listener, counted by `Admission`.
    static let accepted = ConnectionFlags(rawValue: 1 << 0)
    /// `opened` was called.
    static let opened = ConnectionFlags(rawValue: 1 << 1)
    /// The end was or will be told to the handler.
    static let announced = ConnectionFlags(rawValue: 1 << 2)
    /// The handler has called `markAuthenticated`, or the connection is ours.
    static let settled = ConnectionFlags(rawValue: 1 << 3)
    /// Sealed bytes wait for the socket.
    static let blocked = ConnectionFlags(rawValue: 1 << 4)
    /// The handler does not want bytes.
    static let paused = ConnectionFlags(rawValue: 1 << 5)
    /// In the list of connections to seal at the end of the turn.
    static let dirty = ConnectionFlags(rawValue: 1 << 6)
    /// A write was refused, so `writable` is owed.
    static let owesWritable = ConnectionFlags(rawValue: 1 << 7)
    /// The current batch has an entry of it.
    static let inBatch = ConnectionFlags(rawValue: 1 << 8)
    /// close_notify is to be sealed when closing.
    static let sealsNotice = ConnectionFlags(rawValue: 1 << 9)
    /// Nothing will be sealed any more.
    static let sealed = ConnectionFlags(rawValue: 1 << 10)
    /// An entry of it is in the queue of unread deadlines.
    static let inUnreadQueue = ConnectionFlags(rawValue: 1 << 11)
    /// The handler is still to be told of the end.
    static let untold = ConnectionFlags(rawValue: 1 << 12)
    /// The handler was or will be told that the sending key is nearly used up.
    static let worn = ConnectionFlags(rawValue: 1 << 13)
    /// The peer has ended its half of the stream while ours is still being sent.
    static let inputEnded = ConnectionFlags(rawValue: 1 << 14)
}

/// The hot part of a connection's state.
struct ConnectionRow: ~Copyable {
    var session = TLSSession()
    /// Only while there is something in it.
    var record: ConnectionRecord?
    /// Nanoseconds of the monotonic clock; 0 when none is in force.
    var deadline: UInt64 = 0
    var output = TurnOutput.Chain()
    var generation: UInt32 = 1
    var descriptor: Int32 = -1
    var flags = ConnectionFlags()
    var phase = Phase.free
    /// The events the poller was asked for.
    var interest: UInt8 = 0
}

/// The cold part, which most connections have only while their handshake runs.
final class ConnectionRecord {
    /// Sealed bytes the socket did not take, from `unsentStart` on.
    var unsent: [UInt8] = []
    var unsentStart = 0
    var context: TLSContext?
    var serverName: String?
    /// The received part of a record that a layer of our own is to open.
    var begunRecord: [UInt8] = []

    /// Whether nothing is lost with it.
    var isEmpty: Bool { unsent.isEmpty && begunRecord.isEmpty && context == nil }
}

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

    /// Who the peer of a connection is, noted in `claim`.
    func address(of slot: UInt32) -> SocketAddress {
        precondition(slot < count, "no such slot")
        // Below `count`, so initialised.
        return unsafe addresses[Int(slot)]
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
