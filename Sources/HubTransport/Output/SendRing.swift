import CLinux
import Glibc

/// One io_uring instance, for batches of sends that are over when the call returns.
///
/// Sends are asked for without waiting: one for which the socket has no room ends at once and
/// nothing of it stays in the kernel. So the bytes are free when `submit` returns, and a connection
/// that is closed afterwards has nothing under way.
@safe final class SendRing {
    private let ring: OpaquePointer

    /// Nil, and the system's number in `code`, when there is no io_uring or it may not be used.
    init?(code: inout Int32) {
        // Memory that the call maps is unmapped in deinit.
        guard let made = unsafe belfry_ring_new(UInt32(BufferSizes.batchEntries), &code) else {
            return nil
        }
        unsafe ring = made
    }

    deinit {
        // Owned since init; nothing is under way between two submissions.
        unsafe belfry_ring_free(ring)
    }

    /// Sends all entries and fills their results; false when the ring must not be used again.
    func submit(
        _ entries: UnsafeMutableBufferPointer<OutputEntry>,
        from output: UnsafePointer<UInt8>
    ) -> Bool {
        precondition(entries.count <= BufferSizes.batchEntries, "a batch larger than its ring")
        for index in entries.indices {
            // Should the ring fail, an entry without a result by then is lost.
            unsafe entries[index].result = -Int(EIO)
            let entry = unsafe entries[index]
            // `start` and `count` lie within the wire's output, which stays untouched until all
            // results are here.
            unsafe belfry_ring_prepare(
                ring,
                UInt64(index),
                entry.descriptor,
                output + entry.start,
                entry.count
            )
        }
        if unsafe belfry_ring_submit(ring, UInt32(entries.count)) == 0 {
            return unsafe take(entries)
        }
        // The kernel took the first ones, perhaps none; the others go one by one.
        let taken = entries.count - Int(unsafe belfry_ring_withdraw(ring))
        _ = unsafe take(UnsafeMutableBufferPointer(rebasing: entries[..<taken]))
        unsafe Submitter.sendEach(
            UnsafeMutableBufferPointer(rebasing: entries[taken...]),
            from: output
        )
        return false
    }

    /// Takes one result for each entry, in the order in which the kernel has them.
    private func take(_ entries: UnsafeMutableBufferPointer<OutputEntry>) -> Bool {
        for _ in entries.indices {
            var name: UInt64 = 0
            var result: Int32 = 0
            // Both are values of this frame.
            guard unsafe belfry_ring_next(ring, &name, &result) == 0 else { return false }
            precondition(name < UInt64(entries.count), "a result of no entry: \(name)")
            // Within the entries, see above.
            unsafe entries[Int(name)].result = Int(result)
        }
        return true
    }
}
