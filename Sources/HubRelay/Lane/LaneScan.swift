import HubModel

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
    /// Whether the next record waits until another is closed.
    private var isBlocked = false

    init(_ mark: LaneMark) {
        finished = mark.scanned
        head = mark.scanned
        scanned = mark.needed - 1
        for open in mark.open { resuming[open.sequence] = open }
    }

    /// The place behind which to read now; nil when nothing is to be read.
    mutating func begin() -> UInt64? {
        guard !isReading, !isBlocked, scanned < head else { return nil }
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
        isBlocked = !opened && place <= scanned
        scanned = max(scanned, place)
        for sequence in resuming.keys where sequence <= scanned { resuming[sequence] = nil }
    }

    /// The store could not read the rows.
    mutating func fail() { isReading = false }

    mutating func unblock() { isBlocked = false }

    /// The mark's place and the entries that it takes over from the stored one.
    var mark: (scanned: UInt64, open: [LaneMark.Open]) {
        (max(scanned, finished), resuming.values.sorted { $0.sequence < $1.sequence })
    }
}
