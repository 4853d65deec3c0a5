import CLinux

/// One connection's part of the sealed bytes that are submitted together.
struct OutputEntry {
    let slot: UInt32
    let generation: UInt32
    let descriptor: Int32
    /// Where its bytes are in the wire's output.
    let start: Int
    let count: Int
    /// How many the kernel took, or a negative errno; filled by `submit`.
    var result: Int
}

/// *Submit*: sealed bytes to sockets, all connections of a batch in as few calls as may be.
///
/// No two entries of a batch belong to one connection. Every result is there when it returns, and
/// no reference to the bytes is kept.
struct Submitter: ~Copyable {
    /// Nil when sends go one by one.
    private var ring: SendRing?
    /// Batches that were given to the kernel in one call.
    private(set) var ringBatches: UInt64 = 0

    init(_ submission: Submission) {
        var code: Int32 = 0
        ring = submission == .ring ? SendRing(code: &code) : nil
    }

    mutating func submit(
        _ entries: UnsafeMutableBufferPointer<OutputEntry>,
        from output: UnsafePointer<UInt8>
    ) {
        // A single send is cheaper without a ring.
        guard let ring, entries.count > 1 else {
            return unsafe Self.sendEach(entries, from: output)
        }
        ringBatches += 1
        if unsafe !ring.submit(entries, from: output) { self.ring = nil }
    }

    /// One send(2) for each connection.
    static func sendEach(
        _ entries: UnsafeMutableBufferPointer<OutputEntry>,
        from output: UnsafePointer<UInt8>
    ) {
        for index in entries.indices {
            let entry = unsafe entries[index]
            // `start` and `count` lie within the wire's output, see `Connections.collect`.
            unsafe entries[index].result = belfry_send(
                entry.descriptor,
                output + entry.start,
                entry.count
            )
        }
    }
}

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
