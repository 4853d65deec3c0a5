import CLinux

/// How this process uses memory.
package enum ProcessMemory {
    /// Returns large blocks to the system as soon as they are freed, from now on.
    ///
    /// Tables that grow with the connections leave their former memory behind; the C library would
    /// come to keep it among the small blocks. Holds for the whole process, may be called again.
    package static func keepLargeBlocksApart() { belfry_keep_large_blocks_apart() }

    /// Gives pages that hold nothing but freed blocks back to the system.
    ///
    /// Takes about a millisecond after ten thousand handshakes; other threads that need memory wait.
    package static func returnFreeMemory() { belfry_return_free_memory() }
}
