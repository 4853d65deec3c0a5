/// The small records that one registration waits for, ascending: one at least, and most often only
/// that, which takes no memory of its own.
struct WaitingRecords {
    /// The earliest.
    private(set) var first: UInt64
    private var others: [UInt64] = []

    init(_ sequence: UInt64) { first = sequence }

    func contains(where isWanted: (UInt64) -> Bool) -> Bool {
        isWanted(first) || others.contains(where: isWanted)
    }

    mutating func insert(_ sequence: UInt64) {
        guard sequence > first else {
            others.insert(first, at: 0)
            first = sequence
            return
        }
        let place = others.firstIndex { $0 > sequence } ?? others.count
        others.insert(sequence, at: place)
    }

    /// Takes a record out; returns whether it was the last one, which stays.
    mutating func remove(_ sequence: UInt64) -> Bool {
        guard sequence == first else {
            others.removeAll { $0 == sequence }
            return false
        }
        guard !others.isEmpty else { return true }
        first = others.removeFirst()
        return false
    }
}
