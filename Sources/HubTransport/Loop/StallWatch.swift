/// Lets input that waited while the thread stood still be read before deadlines that it answers.
///
/// The kernel gives a turn a bounded number of events. After a stall more may wait, and among them
/// what peers said in time; so deadlines are put off while the lists are full, for a bounded number
/// of turns.
struct StallWatch {
    /// Nanoseconds between two turns that count as a stall when events are left over.
    static let leastNanoseconds: UInt64 = 1_000_000_000
    /// Turns for which deadlines are put off at most: as many events as a table has connections.
    static let turnsMax = 128

    private var lastTurn: UInt64?
    private var putOff = 0

    /// Whether the deadlines of a turn at a time of the monotonic clock wait for the next one.
    mutating func putsOff(isListFull: Bool, atNanoseconds now: UInt64) -> Bool {
        defer { lastTurn = now }
        let pause = lastTurn.map { now > $0 ? now - $0 : 0 } ?? 0
        guard isListFull, putOff > 0 || pause >= Self.leastNanoseconds, putOff < Self.turnsMax
        else {
            putOff = 0
            return false
        }
        putOff += 1
        return true
    }
}
