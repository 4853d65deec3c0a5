/// Two lines of requests and other work.
///
/// The patient line holds requests that may make much at once. Each group takes from it only once the
/// other line is empty or the group is full, and then at least one. So neither line keeps the other
/// waiting for longer than one piece of work. Requests that depend on one another stand in the same
/// line, or their caller waits for the answer to the first.
struct GroupQueue {
    private var prompt = Line()
    private var patient = Line()

    /// How many wait.
    var count: Int { prompt.count + patient.count }

    /// Whether none waits.
    var isEmpty: Bool { prompt.isEmpty && patient.isEmpty }

    /// Whether something waits that goes before the patient ones.
    var hasPrompt: Bool { !prompt.isEmpty }

    /// Adds behind the others of its line.
    mutating func append(_ work: DirectoryWork) {
        if case .call(.patientChange) = work { patient.append(work) } else { prompt.append(work) }
    }

    /// Takes the first that goes before the patient ones.
    mutating func popFirst() -> DirectoryWork? { prompt.popFirst() }

    /// Takes the first of the patient ones.
    mutating func popPatient() -> DirectoryWork? { patient.popFirst() }

    /// First in, first out; amortised constant time.
    private struct Line {
        private var items: [DirectoryWork?] = []
        private var head = 0

        var count: Int { items.count - head }
        var isEmpty: Bool { head == items.count }

        mutating func append(_ work: DirectoryWork) { items.append(work) }

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
}
