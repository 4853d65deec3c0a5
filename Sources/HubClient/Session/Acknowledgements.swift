import HubVocabulary
import HubWire

/// The entries of the hub's stream that came on a connection, and those the hub was told are
/// stored.
struct Acknowledgements {
    /// Highest complete sequence number that the hub has sent, as far as it is known here.
    var chain: UInt64
    /// Whether the next one does not wait: something urgent came.
    var isUrgent = false
    /// When the next one is due; nil when none is owed.
    private(set) var due: Instant?
    /// Highest sequence number that the hub was told is stored.
    private var acknowledged: UInt64
    /// Entries and bytes that came since.
    private var entries = 0
    private var bytes = 0
    /// The window that the hub fills, at most.
    private var entriesMax = WireLimits.windowMessagesMax
    private var bytesMax = WireLimits.windowBytesMax
    private let delay: Duration

    /// Begins behind what WELCOME has agreed on.
    init(behind sequence: UInt64, delay: Duration) {
        chain = sequence
        acknowledged = sequence
        self.delay = delay
    }

    /// Notes the window that the hub was told; a hub uses no more than its own limits.
    mutating func offer(messages: UInt16, bytes: UInt32) {
        entriesMax = min(Int(messages), WireLimits.windowMessagesMax)
        bytesMax = min(Int(bytes), WireLimits.windowBytesMax)
    }

    /// Counts an entry whose parcel has so many bytes.
    mutating func count(_ parcelBytes: Int) {
        entries += 1
        bytes += WireLimits.deliverEntryPrefixBytes + parcelBytes
    }

    /// Notes that entries are stored up to a position; returns whether to acknowledge now.
    ///
    /// Otherwise the acknowledgement waits.
    mutating func stored(_ position: UInt64, at instant: Instant) -> Bool {
        let isHalfWindow = entries * 2 >= entriesMax || bytes * 2 >= bytesMax
        if isHalfWindow || isUrgent { return true }
        if position > acknowledged || entries > 0, due == nil { due = instant + delay }
        return false
    }

    /// The sequence number to acknowledge with what is stored; nil when the hub knows it.
    mutating func take(_ position: UInt64) -> UInt64? {
        due = nil
        isUrgent = false
        entries = 0
        bytes = 0
        let sequence = min(position, chain)
        guard sequence > acknowledged else { return nil }
        acknowledged = sequence
        return sequence
    }
}
