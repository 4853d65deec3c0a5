/// A session's part of its shard's entries of a turn, in the order in which they came.
struct EntryList {
    /// Both or neither.
    private(set) var first = OptionalIndex()
    private(set) var last = OptionalIndex()

    /// Nothing.
    init() {}

    var isEmpty: Bool { first.value == nil }

    /// Adds an entry behind the others; whether it is the first.
    mutating func append(_ entry: TurnEntry, to entries: inout [TurnEntry]) -> Bool {
        let index = OptionalIndex(entries.count)
        entries.append(entry)
        defer { last = index }
        if let previous = last.value {
            entries[previous].next = index
            return false
        }
        first = index
        return true
    }

    /// Adds an entry in front of the others.
    mutating func prepend(_ index: Int, in entries: inout [TurnEntry]) {
        entries[index].next = first
        first = OptionalIndex(index)
        if last.value == nil { last = first }
    }
}
