/// First in, first out; amortised constant time.
struct WorkQueue {
    private var items: [DirectoryWork?] = []
    private var head = 0

    /// How many wait.
    var count: Int { items.count - head }

    /// Whether none waits.
    var isEmpty: Bool { head == items.count }

    /// Adds behind the others.
    mutating func append(_ work: DirectoryWork) { items.append(work) }

    /// Takes the first.
    mutating func popFirst() -> DirectoryWork? {
        guard head < items.count else { return nil }
        let first = items[head]
        items[head] = nil
        head += 1
        if head == items.count {
            items.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 1_024, head * 2 >= items.count {
            items.removeFirst(head)
            head = 0
        }
        return first
    }
}
