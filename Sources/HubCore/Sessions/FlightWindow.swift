/// What was sent on a connection and is not acknowledged yet, against the device's window.
///
/// A message is one entry; bytes count the parcel and its 10-byte prefix. Source: rules G.
struct FlightWindow {
    private struct Flight {
        var sequence: UInt64
        var messages: UInt32
        var bytes: UInt32
        var sent: Instant
    }

    /// Ascending by sequence; entries before `first` are acknowledged.
    private var flights: [Flight] = []
    private var first = 0

    /// What the device offers.
    private(set) var messagesMax: UInt32
    private(set) var bytesMax: UInt32
    /// What is out.
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
    mutating func sent(sequence: UInt64, bytes size: Int, now: Instant) {
        messages += 1
        bytes += UInt32(clamping: size)
        if let last = flights.indices.last, last >= first, flights[last].sequence == sequence {
            flights[last].messages += 1
            flights[last].bytes += UInt32(clamping: size)
        } else {
            flights.append(
                Flight(
                    sequence: sequence,
                    messages: 1,
                    bytes: UInt32(clamping: size),
                    sent: now
                )
            )
        }
    }

    /// Everything through `sequence` is stored on the device.
    mutating func acknowledged(through sequence: UInt64) {
        while first < flights.count, flights[first].sequence <= sequence {
            messages -= flights[first].messages
            bytes -= flights[first].bytes
            first += 1
        }
        guard first == flights.count || first >= 64 else { return }
        flights.removeSubrange(..<first)
        first = 0
    }
}
