import HubTags
import HubTestSupport
import Testing

/// Registrations of a tag, a piece at a time.
@Suite("Pages of a tag")
struct TagIndexPagesTests {
    /// An index in which some slots have the tag, beside others that do not.
    private struct Population: ~Copyable {
        var index: TagIndex
        let tag: TagID
        var having: [UInt32] = []

        init(_ count: Int, percent: Int, seed: UInt64) {
            var random = SeededGenerator(seed: seed)
            index = TagIndex(seed: seed)
            tag = index.intern(Array("World".utf8).span)
            let other = index.intern(Array("other".utf8).span)
            for slot in 0..<UInt32(count) {
                let isMeant = Int.random(in: 0..<100, using: &random) < percent
                index.insert(SlotIndex(raw: slot), tags: isMeant ? [tag, other] : [other])
                if isMeant { having.append(slot) }
            }
        }
    }

    @Test(
        "join to all that have it, ascending, at the cost of what is looked at",
        arguments: [0, 1, 2, 30, 90, 100],
        1..<4 as Range<UInt64>
    )
    func pages(share: Int, seed: UInt64) {
        let all = Population(3_000, percent: share, seed: seed)
        let having = all.having
        for page in [1, 7, 100] {
            var found: [UInt32] = having.first == 0 ? [0] : []
            var visits = 0
            var pages = 0
            var last: SlotIndex? = SlotIndex(raw: 0)
            while let after = last {
                var taken = 0
                last = nil
                all.index.forEachSlot(of: all.tag, above: after) { slot in
                    visits += 1
                    found.append(slot.raw)
                    taken += 1
                    if taken == page { last = slot }
                    return taken < page
                }
                pages += 1
            }
            #expect(found == having, "seed \(seed), \(share) %, pages of \(page)")
            // Not one slot is looked at for a page that does not have it.
            #expect(visits == having.count - (having.first == 0 ? 1 : 0))
            #expect(pages <= having.count / page + 1)
        }
    }

    @Test("begin above any slot, also one that is not there")
    func starts() {
        for share in [2, 90] {
            let all = Population(400, percent: share, seed: 9)
            for start in 0..<420 as Range<UInt32> {
                var found: [UInt32] = []
                all.index.forEachSlot(of: all.tag, above: SlotIndex(raw: start)) { slot in
                    found.append(slot.raw)
                    return true
                }
                let expected = all.having.filter { $0 > start }
                #expect(found == expected, "\(share) %, above \(start)")
            }
        }
    }
}
