import CAllocationCounter
import HubTags
import HubWire
import Testing

/// The allocations of this thread while `body` runs.
private func allocations<Failure: Error>(
    _ body: () throws(Failure) -> Void
) throws(Failure) -> UInt64 {
    allocation_counter_start()
    defer { _ = allocation_counter_stop() }
    try body()
    return allocation_counter_stop()
}

@Suite("Allocations")
struct AllocationTests {
    @Test("the counter sees every block of an array that grows")
    func counts() {
        var array: [Int] = []
        let growing = allocations { for number in 0..<1_000 { array.append(number) } }
        let nothing = allocations {}
        #expect(growing >= 5)
        #expect(nothing == 0)
        #expect(array.count == 1_000)
    }

    @Test("from the received bytes of TAGS to the known tags there is none")
    func tagsFrame() throws {
        var index = TagIndex(seed: 3)
        for number in 0..<500 as Range<UInt32> {
            let tag = Array("username:person\(number)".utf8)
            index.insert(SlotIndex(raw: number), tags: [index.intern(tag.span)])
        }
        let known = (0..<40).map { Array("UserName:Person\($0 * 7)".utf8) }
        let removed = [Array("username:person2".utf8), Array("nobody:has-this".utf8)]
        var received: [UInt8] = []
        try TagsMessage(slot: 1, add: known, remove: removed).encode(into: &received, ref: 9)

        // The first turn makes the runtime's one-time allocations, the second one counts.
        var found = 0
        var count: UInt64 = .max
        for _ in 0..<2 {
            found = 0
            count = try allocations { () throws(WireError) in
                try Self.countKnownTags(in: received.span, index, into: &found)
            }
        }
        #expect(found == 41)
        #expect(count == 0)
    }

    /// Decodes the frame, checks each of its tags and looks it up.
    private static func countKnownTags(
        in bytes: Span<UInt8>,
        _ index: borrowing TagIndex,
        into found: inout Int
    ) throws(WireError) {
        let step = try FrameDecoder.step(
            bytes,
            direction: .deviceToHub,
            state: .ready,
            limits: .hub
        )
        guard case .frame(let header) = step else { return }
        let frame = try TagsFrame(decoding: header.body(of: bytes), header: header)
        let added = frame.add
        var iterator = added.makeIterator()
        while let range = iterator.next() {
            let tag = added.tag(range)
            guard TagRules.check(tag) == nil, !TagRules.isReserved(tag) else { continue }
            if index.lookup(tag) != nil { found += 1 }
        }
        let removed = frame.remove
        iterator = removed.makeIterator()
        while let range = iterator.next() {
            if index.lookup(removed.tag(range)) != nil { found += 1 }
        }
    }
}
