import HubModel
import HubVocabulary

/// The entries sent on a connection and not acknowledged yet, against the device's window.
///
/// A message is one entry; bytes count the parcel and its 10-byte prefix. Source: rules G.
struct FlightWindow {
    private struct Flight {
        var sequence: UInt64
        var messages: UInt16
        var platform: Platform
        var bytes: UInt32
        var sent: Instant
    }

    /// Room that is kept when nothing is out.
    private static let flightsKept = 8

    /// Ascending by sequence, one for each platform; those before `first` are acknowledged and wait
    /// to be reported.
    private var flights: [Flight] = []
    private var unreported: Int32 = 0
    private var first: Int {
        get { Int(unreported) }
        set { unreported = Int32(newValue) }
    }

    /// The window that the device offers.
    private(set) var messagesMax: UInt32
    private(set) var bytesMax: UInt32
    /// Entries and bytes that are sent and not acknowledged.
    private(set) var messages: UInt32 = 0
    private(set) var bytes: UInt32 = 0

    /// An empty window.
    init(messagesMax: UInt32, bytesMax: UInt32) {
        self.messagesMax = messagesMax
        self.bytesMax = bytesMax
    }

    /// Whether the device wants nothing at all.
    var isPaused: Bool { messagesMax == 0 }

    /// When the oldest unacknowledged entry was sent.
    var oldestSent: Instant? { first < flights.count ? flights[first].sent : nil }

    /// When an entry of `sequence` was sent; nil when none was, or its report is taken.
    func sent(of sequence: UInt64) -> Instant? {
        flights.last { $0.sequence <= sequence }.flatMap { $0.sequence == sequence ? $0.sent : nil }
    }

    /// The device changed its offer.
    mutating func resize(messagesMax: UInt32, bytesMax: UInt32) {
        self.messagesMax = messagesMax
        self.bytesMax = bytesMax
    }

    /// Whether a message of this size may be sent now; one may always be when none is out and the
    /// window is open.
    func admits(bytes size: Int) -> Bool {
        if messagesMax == 0 { return false }
        if messages == 0 { return true }
        return messages < messagesMax && Int(bytes) + size <= Int(bytesMax)
    }

    /// One entry of `sequence` was sent.
    mutating func sent(sequence: UInt64, platform: Platform, bytes size: Int, now: Instant) {
        messages += 1
        bytes += UInt32(clamping: size)
        if let last = flights.indices.last, last >= first, flights[last].sequence == sequence,
            flights[last].platform == platform, flights[last].messages < .max
        {
            flights[last].messages += 1
            flights[last].bytes += UInt32(clamping: size)
        } else {
            flights.append(
                Flight(
                    sequence: sequence,
                    messages: 1,
                    platform: platform,
                    bytes: UInt32(clamping: size),
                    sent: now
                )
            )
        }
    }

    /// One entry that was sent on an earlier connection turned out to be stored; nothing is out.
    mutating func found(sequence: UInt64, platform: Platform, now: Instant) {
        precondition(messages == 0, "entries are out")
        flights.append(
            Flight(sequence: sequence, messages: 1, platform: platform, bytes: 0, sent: now)
        )
        first = flights.count
    }

    /// Everything through `sequence` is stored on the device.
    ///
    /// Returns when the last of these was sent; nil when none was out.
    mutating func acknowledged(through sequence: UInt64) -> Instant? {
        let before = first
        while first < flights.count, flights[first].sequence <= sequence {
            messages -= UInt32(flights[first].messages)
            bytes -= flights[first].bytes
            first += 1
        }
        return first > before ? flights[first - 1].sent : nil
    }

    /// Moves what was acknowledged since the last call to the end of a report; how much it is.
    mutating func takeAcknowledged(into report: inout [AcknowledgedEntry]) -> Int {
        let count = first
        guard count > 0 else { return 0 }
        for flight in flights[..<count] {
            report.append(
                AcknowledgedEntry(
                    sequence: flight.sequence,
                    platform: flight.platform,
                    count: flight.messages
                )
            )
        }
        flights.removeSubrange(..<count)
        // A device that once had a burst does not cost its memory for good.
        if flights.isEmpty, flights.capacity > Self.flightsKept { flights = [] }
        first = 0
        return count
    }
}
