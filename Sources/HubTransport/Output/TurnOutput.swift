/// Plaintext that connections were given in this turn, until it is sealed.
///
/// Chunks of one connection form a chain, so that everything it was given leaves together in
/// whatever order handlers wrote.
@safe final class TurnOutput {
    private struct Chunk {
        let offset: UInt32
        var count: UInt32
        /// Index of the connection's next chunk plus one; 0 ends the chain.
        var next: UInt32
    }

    /// A connection's chain; indices plus one, 0 is none.
    struct Chain {
        var head: UInt32 = 0
        var tail: UInt32 = 0
        var bytes: UInt32 = 0
    }

    private let arena: UnsafeMutableBufferPointer<UInt8>
    private let gathered: UnsafeMutableBufferPointer<UInt8>
    private var chunks: [Chunk] = []
    private var used = 0

    init(capacity: Int, turnBytes: Int) {
        // Owned here, freed in deinit; bytes are trivial.
        unsafe arena = .allocate(capacity: max(capacity, turnBytes))
        unsafe gathered = .allocate(capacity: turnBytes)
    }

    deinit {
        unsafe arena.deallocate()
        unsafe gathered.deallocate()
    }

    var room: Int { unsafe arena.count - used }

    /// Memory for `count` more bytes; `append` takes what was filled.
    func space(_ count: Int) -> UnsafeMutableBufferPointer<UInt8> {
        precondition(count <= room, "the arena was not flushed in time")
        return unsafe UnsafeMutableBufferPointer(rebasing: arena[used..<used + count])
    }

    /// Makes the next `count` bytes of the arena part of a chain.
    func append(_ count: Int, to chain: inout Chain) {
        if count == 0 { return }
        chain.bytes += UInt32(count)
        if chain.tail != 0, Int(chain.tail) == chunks.count {
            // The last chunk of the arena is this chain's: the bytes are adjacent.
            chunks[chunks.count - 1].count += UInt32(count)
        } else {
            chunks.append(Chunk(offset: UInt32(used), count: UInt32(count), next: 0))
            let index = UInt32(chunks.count)
            if chain.tail == 0 {
                chain.head = index
            } else {
                chunks[Int(chain.tail) - 1].next = index
            }
            chain.tail = index
        }
        used += count
    }

    /// All bytes of a chain in one piece; valid until the next call.
    func bytes(of chain: Chain) -> UnsafeBufferPointer<UInt8> {
        if chain.head == 0 { return unsafe UnsafeBufferPointer(start: nil, count: 0) }
        let first = chunks[Int(chain.head) - 1]
        if first.next == 0 {
            // Offsets and counts were checked against the arena when they were appended.
            return unsafe UnsafeBufferPointer(rebasing: arena[range(of: first)])
        }
        var count = 0
        var index = chain.head
        while index != 0 {
            let chunk = chunks[Int(index) - 1]
            let part = unsafe UnsafeBufferPointer(rebasing: arena[range(of: chunk)])
            // A chain holds at most `turnBytes`, the size of `gathered`.
            let rest = unsafe UnsafeMutableBufferPointer(rebasing: gathered[count...])
            _ = unsafe rest.initialize(from: part)
            count += part.count
            index = chunk.next
        }
        return unsafe UnsafeBufferPointer(rebasing: gathered[0..<count])
    }

    /// Forgets everything; no chain may be used afterwards.
    func removeAll() {
        chunks.removeAll(keepingCapacity: true)
        used = 0
    }

    private func range(of chunk: Chunk) -> Range<Int> {
        Int(chunk.offset)..<Int(chunk.offset) + Int(chunk.count)
    }
}
