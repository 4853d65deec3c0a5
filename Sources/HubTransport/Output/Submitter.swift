import CLinux

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
