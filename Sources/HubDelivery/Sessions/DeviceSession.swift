import HubModel
import HubParcel
import HubTables
import HubVocabulary
import HubWire

/// Where a session gets its notifications from.
enum DeliveryMode {
    /// In the index: the feed brings what matches.
    case live
    /// Reading the log from its position; beside the session, since most are live.
    case catchingUp(CatchUp)
}

/// A proven device on one connection.
///
/// Source: rules A.4, B; Protocol, delivery.
struct DeviceSession: DeviceRow {
    private final class Loss {
        let value: HistoryLoss
        init(_ value: HistoryLoss) { self.value = value }
    }

    /// How far the device is.
    struct Progress {
        /// Highest complete sequence number sent or agreed: the next DELIVER's `prev_seq`.
        var sentThrough: UInt64
        /// Highest complete sequence number that the device has stored.
        var acknowledged: UInt64
        /// The sequence number whose first entries are written already, because a turn could not hold
        /// the whole group; the rest is in `CatchUp.held`.
        var openGroup: UInt64?
        /// Entries at or below may have been sent on an earlier connection.
        var redeliveredThrough: UInt64
    }

    /// Matches that are not sent, and how far they are counted.
    struct Counts {
        /// The place and time up to which matches that are not sent are counted.
        var counted: CountedMatches
        /// The place up to which earlier connections had counted them.
        let evaluatedBefore: UInt64
        /// Matches that are not sent and that the directory was not told of yet.
        var unsent: [CounterDelta] = []
    }

    var connection: ConnectionID
    var device: DeviceID
    /// Fences takeovers.
    var generation: UInt64
    /// How parcels are coded for it, by its capabilities.
    var codec: ParcelCodec
    /// Whether the device takes entries without a position.
    var takesTransient: Bool
    /// The device dozes: only a high-priority match wakes it.
    var isDozing = false
    var mode: DeliveryMode
    var registrations: SessionRegistrations
    var progress: Progress
    private var lost: Loss?
    var window: FlightWindow
    /// Matches at or below that the device had stored before this session: they are counted as
    /// acknowledged when the log is read up to here, and not sent.
    ///
    /// Source: rules B.4.
    let recountThrough: UInt64
    var counts: Counts
    /// Its cursor moved since the directory was last told.
    var hasMoved = false
    /// This turn's entries for it.
    var turn = EntryList()

    /// A session that reads the log behind `start`.
    init(
        connection: ConnectionID,
        device: DeviceID,
        generation: UInt64,
        capabilities: Capabilities,
        window: FlightWindow,
        registrations: SessionRegistrations,
        mode: DeliveryMode,
        start: UInt64,
        redeliveredThrough: UInt64,
        counted: CountedMatches
    ) {
        self.connection = connection
        self.device = device
        self.generation = generation
        codec = ParcelCodec(for: capabilities)
        takesTransient = capabilities.contains(.transient)
        self.window = window
        self.registrations = registrations
        self.mode = mode
        progress = Progress(
            sentThrough: start,
            acknowledged: start,
            redeliveredThrough: redeliveredThrough
        )
        recountThrough = start
        counts = Counts(counted: counted, evaluatedBefore: counted.through)
    }

    /// History that could not be evaluated, because tags were cut, and that a GAP must announce;
    /// nil when there is none, or the device has acknowledged the GAP.
    var loss: HistoryLoss? {
        get { lost?.value }
        set { lost = newValue.map(Loss.init) }
    }

    var isLive: Bool {
        switch mode {
        case .live: true
        case .catchingUp: false
        }
    }

    /// Lets go of everything, for the row's next session.
    mutating func clear() {
        hasMoved = false
        registrations = SessionRegistrations()
        turn = EntryList()
    }

    /// Keeps the count of a match that is not sent for the next report.
    mutating func countUnsent(_ kind: TelemetryKind, _ sequence: UInt64, _ platform: Platform) {
        // The counter and how far it counts must become durable together, or neither.
        let delta = CounterDelta(sequence: sequence, platform: platform, kind: kind, count: 1)
        counts.unsent.append(delta)
    }

    /// Its cursor goes into the next report; false when it does already.
    mutating func noteMoved() -> Bool {
        defer { hasMoved = true }
        return !hasMoved
    }

    /// Everything through `sequence`, which is above the last one, is stored on the device.
    ///
    /// Says how many messages that were in flight are not any more, when the last of them was sent,
    /// whether the cursor had moved before, and whether the session is live.
    mutating func acknowledge(
        through sequence: UInt64
    ) -> (messages: UInt32, sent: Instant?, hadMoved: Bool, isLive: Bool) {
        let before = window.messages
        progress.acknowledged = sequence
        let sent = window.acknowledged(through: sequence)
        if let loss, loss.isTold, sequence >= loss.through { self.loss = nil }
        defer { hasMoved = true }
        return (before - window.messages, sent, hasMoved, isLive)
    }
}

extension ParcelCodec {
    /// How parcels are coded for a device that can do so much.
    fileprivate init(for capabilities: Capabilities) {
        guard capabilities.contains(.deflate) else {
            self = .identity
            return
        }
        self = capabilities.contains(.dictionary1) ? .wellKnownDictionary : .deflate
    }
}
