/// Events in the order of their time; those of the same time in the order in which they were added.
struct EventQueue {
    private struct Entry {
        var time: UInt64
        var order: UInt64
        var event: SimulationEvent

        func isBefore(_ other: Entry) -> Bool {
            time != other.time ? time < other.time : order < other.order
        }
    }

    private var heap: [Entry] = []
    private var added: UInt64 = 0

    /// How many wait.
    var count: Int { heap.count }

    /// Adds an event.
    mutating func add(_ event: SimulationEvent, at time: UInt64) {
        added += 1
        heap.append(Entry(time: time, order: added, event: event))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].isBefore(heap[parent]) else { break }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    /// Takes the next event.
    mutating func pop() -> (time: UInt64, event: SimulationEvent)? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        guard !heap.isEmpty else { return (first.time, first.event) }
        heap[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if heap[child].isBefore(heap[least]) { least = child }
            }
            guard least != parent else { return (first.time, first.event) }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
