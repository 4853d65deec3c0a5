/// The entries that wait for the next submission.
@safe struct OutputBatch: ~Copyable {
    private let entries: UnsafeMutableBufferPointer<OutputEntry>
    private(set) var count = 0

    init() {
        unsafe entries = .allocate(capacity: BufferSizes.batchEntries)
    }

    deinit {
        // Entries are trivial values.
        unsafe entries.deallocate()
    }

    var isFull: Bool { count == BufferSizes.batchEntries }

    mutating func append(_ entry: OutputEntry) {
        precondition(!isFull, "the batch was not submitted in time")
        // Below capacity; the memory belongs to this batch.
        unsafe entries.initializeElement(at: count, to: entry)
        count += 1
    }

    mutating func submit(
        with submitter: inout Submitter,
        from output: UnsafePointer<UInt8>
    ) {
        // The first `count` entries are initialised.
        unsafe submitter.submit(
            UnsafeMutableBufferPointer(rebasing: entries[0..<count]),
            from: output
        )
    }

    subscript(_ index: Int) -> OutputEntry {
        precondition(index < count, "no such entry")
        // Initialised, see `append`.
        return unsafe entries[index]
    }

    mutating func removeAll() { count = 0 }
}
