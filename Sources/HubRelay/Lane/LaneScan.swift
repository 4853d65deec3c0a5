import HubModel
import HubVocabulary

/// Where a lane reads the log.
struct LaneScan {
    /// The last record that the log has.
    var head: UInt64
    /// All records up to here are finished or open.
    private(set) var scanned: UInt64
    /// Records of the stored mark that are not open yet.
    private(set) var resuming: [UInt64: LaneMark.Open] = [:]
    /// All records up to here that are not in `resuming` were finished before the process began.
    private let finished: UInt64
    private var isReading = false
    /// The pause after the last read, which failed; and when it is over.
    private var pause = (milliseconds: UInt64(0), until: Instant(nanoseconds: 0))
    /// Milliseconds of such a pause, first and longest.
    private static let pauses: (first: UInt64, longest: UInt64) = (50, 5_000)
    /// Whether the next record waits until another is closed.
    private var isBlocked = false

    init(_ mark: LaneMark) {
        finished = mark.scanned
        head = mark.scanned
        scanned = mark.needed - 1
        for open in mark.open { resuming[open.sequence] = open }
    }

    /// The place behind which to read now; nil when nothing is to be read.
    mutating func begin(now: Instant) -> UInt64? {
        guard !isReading, !isBlocked, scanned < head, now >= pause.until else { return nil }
        isReading = true
        return scanned
    }

    /// How a record that was read is opened; nil when it is finished.
    func opening(_ sequence: UInt64) -> Opening {
        guard sequence > scanned else { return .finished }
        if let open = resuming[sequence] { return .rest(open.progress) }
        return sequence <= finished ? .finished : .whole
    }

    enum Opening {
        case whole
        case rest(LaneMark.Open.Progress)
        case finished
    }

    /// Everything up to a place was read.
    mutating func end(through place: UInt64, opened: Bool) {
        isReading = false
        pause.milliseconds = 0
        isBlocked = !opened && place <= scanned
        scanned = max(scanned, place)
        for sequence in resuming.keys where sequence <= scanned { resuming[sequence] = nil }
    }

    /// Nothing could be read: the next read waits twice as long as the last.
    mutating func fail(now: Instant) {
        isReading = false
        pause.milliseconds = min(
            max(pause.milliseconds * 2, Self.pauses.first),
            Self.pauses.longest
        )
        pause.until = now.adding(milliseconds: pause.milliseconds)
    }

    /// When it reads again behind a pause; nil without one.
    var deadline: Instant? { pause.milliseconds > 0 && !isReading ? pause.until : nil }

    mutating func unblock() { isBlocked = false }

    /// The mark's place and the entries that it takes over from the stored one.
    var mark: (scanned: UInt64, open: [LaneMark.Open]) {
        (max(scanned, finished), resuming.values.sorted { $0.sequence < $1.sequence })
    }
}
