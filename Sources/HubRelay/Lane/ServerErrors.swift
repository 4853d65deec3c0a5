import HubVocabulary

/// The errors of the service's own making among its last answers: a device's trouble, or its own.
struct ServerErrors {
    /// How far the trouble reaches.
    enum Extent {
        /// One device's requests fail.
        case device
        /// More than a twentieth fails: the service wants rest.
        case some
        /// Most fails: no device is at fault.
        case most
    }

    /// Seconds of answers that are looked at together, and how many say anything.
    private static let window = (seconds: UInt64(10), answersLeast: 20)
    /// Errors in a row, of several devices, that mean the service itself; and while one request at
    /// a time is tried.
    private static let rowLeast = (running: 5, probing: 2)

    private var recent = (since: Instant(nanoseconds: 0), answers: 0, errors: 0)
    /// The errors since the last other answer.
    private var row = (count: 0, first: UInt32(0), isOfSeveral: false)

    /// Counts the answer to a request for a registration.
    mutating func note(isError: Bool, of registration: UInt32, now: Instant) {
        if now.milliseconds(since: recent.since) >= Self.window.seconds * 1_000 {
            recent = (now, 0, 0)
        }
        recent.answers += 1
        guard isError else {
            row = (0, 0, false)
            return
        }
        recent.errors += 1
        if row.count == 0 { row.first = registration }
        row.count += 1
        if registration != row.first { row.isOfSeveral = true }
    }

    /// How far the trouble reaches after an error.
    func extent(isProbing: Bool) -> Extent {
        let rowLeast = isProbing ? Self.rowLeast.probing : Self.rowLeast.running
        if row.isOfSeveral, row.count >= rowLeast { return .most }
        guard recent.answers >= Self.window.answersLeast else { return .device }
        if recent.errors * 2 > recent.answers { return .most }
        return recent.errors * 20 > recent.answers ? .some : .device
    }
}
