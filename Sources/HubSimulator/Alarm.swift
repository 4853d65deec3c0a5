/// When a thread of the simulated hub turns next.
struct Alarm {
    private var due: UInt64?

    /// Asks for a turn; false when one comes no later.
    mutating func set(_ time: UInt64) -> Bool {
        if let due, due <= time { return false }
        due = time
        return true
    }

    /// Whether a turn that comes now is the one that was asked for last; the alarm is off then.
    mutating func rings(_ time: UInt64) -> Bool {
        guard due == time else { return false }
        due = nil
        return true
    }
}
