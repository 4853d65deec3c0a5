import HubVocabulary

/// One direction of a connection: nothing overtakes, and nothing is lost but at the end.
struct Pipe {
    private var segments: [Segment] = []
    private var first = 0
    /// When the last one arrives.
    var lastArrival: UInt64 = 0
    /// Bytes that were written and have not arrived.
    private(set) var bytes = 0
    /// Bytes that are written go nowhere.
    var isDead = false

    var isEmpty: Bool { first == segments.count }

    mutating func append(_ segment: Segment) {
        bytes += segment.bytes.count
        segments.append(segment)
    }

    /// Fills a dead pipe with bytes that never leave it.
    mutating func swallow(_ count: Int) { bytes += count }

    mutating func popFirst() -> Segment? {
        guard first < segments.count else { return nil }
        let segment = segments[first]
        segments[first].bytes = []
        first += 1
        bytes -= segment.bytes.count
        if first == segments.count {
            segments.removeAll(keepingCapacity: true)
            first = 0
        }
        return segment
    }

    /// Loses what is on its way.
    mutating func clear() {
        segments = []
        first = 0
        bytes = 0
    }
}

/// One connection between a device and a shard.
struct Link {
    /// The hub's words when it opened a session, and its reading for the device.
    struct Session {
        /// The log's head and the time when the hub opened the session.
        var attachedHead: UInt64?
        var attachedAt: UInt64 = 0
        /// Everything above that the device misses must be announced on this connection.
        var announcedThrough: UInt64?
        /// Whether it is known what the device had when the session was opened.
        var isCounted = false
        /// A record that the device had in part when the session was opened; 0 for none.
        var begunBefore: UInt64 = 0
        /// The shard's reads for the device: places behind the first of each pair, through the second.
        var reads: [(after: UInt64, through: UInt64)] = []
    }

    let device: Int
    let shard: Int
    /// The hub's name for it.
    let connection: ConnectionID
    /// Which of the hub's processes accepted it.
    let life: Int
    var toHub = Pipe()
    var toDevice = Pipe()
    /// Whether the ends believe in it.
    var isOpenAtHub = true
    var isOpenAtDevice = true
    /// Microseconds that bytes take at least.
    var latency: UInt64
    /// The device does not read before this.
    var blockedUntil: UInt64 = 0
    /// The hub's socket takes nothing.
    var isFull = false
    /// The hub found no room and wants to hear when there is some.
    var isStarved = false
    /// The facts about the session on it, for the checks.
    var session = Session()

    /// Bytes that may be on their way to the device.
    static let capacity = 65_536
}
