import CLinux
import Synchronization

/// How this process uses memory.
package enum ProcessMemory {
    /// Returns large blocks to the system as soon as they are freed, from now on.
    ///
    /// Tables that grow with the connections leave their former memory behind; the C library would
    /// come to keep it among the small blocks. Holds for the whole process, may be called again.
    package static func keepLargeBlocksApart() { belfry_keep_large_blocks_apart() }

    /// Keeps the keys of hubs and connections out of core dumps, and other processes of the user out of
    /// the memory; false when the kernel refuses.
    ///
    /// Holds for the whole process.
    package static func forbidDumps() -> Bool { belfry_allow_dumps(0) == 0 }

    /// Whether a crash may leave a core dump.
    package static var allowsDumps: Bool { belfry_allows_dumps() != 0 }

    /// Gives pages that hold nothing but freed blocks back to the system.
    ///
    /// Takes about a millisecond after ten thousand handshakes, and other threads that need memory
    /// wait; so it is done once in `returnSeconds` for all who ask, and whether it was is the result.
    /// `nanoseconds` is the time of the monotonic clock.
    package static func returnFreeMemory(atNanoseconds nanoseconds: UInt64) -> Bool {
        let last = returnedAt.load(ordering: .relaxed)
        let isTooSoon = last > 0 && nanoseconds < last + returnSeconds * 1_000_000_000
        guard !isTooSoon,
            returnedAt.compareExchange(expected: last, desired: nanoseconds, ordering: .relaxed)
                .exchanged
        else { return false }
        belfry_return_free_memory()
        return true
    }

    /// Seconds between two times that the process gives memory back.
    package static let returnSeconds: UInt64 = 10
    private static let returnedAt = Atomic<UInt64>(0)
}
