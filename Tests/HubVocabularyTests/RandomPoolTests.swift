import HubTestSupport
import HubVocabulary
import Synchronization
import Testing

@Suite("A pool of random numbers")
struct RandomPoolTests {
    /// Counts how often it is asked.
    private struct CountedSource: RandomNumberGenerator {
        var asked: UInt64 = 0
        mutating func next() -> UInt64 {
            asked += 1
            return asked
        }
    }

    @Test("repeats nothing across fillings, and asks its source for 32 bytes alone")
    func fillings() {
        var source = CountedSource()
        var pool = RandomPool(from: &source)
        let numbers = (0..<100 * RandomPool.numbersKept).map { _ in pool.next() }
        #expect(Set(numbers).count == numbers.count)
        #expect(source.asked == 4)
        // Half of all bits are set, give or take six deviations.
        let bits = numbers.reduce(0) { $0 + $1.nonzeroBitCount }
        #expect(abs(bits - numbers.count * 32) < 6 * 4 * 78, "\(bits) of \(numbers.count * 64)")
    }

    @Test("follows from its source: two of one give the same, of two give others")
    func seeds() {
        func numbers(_ seed: UInt64) -> [UInt64] {
            var source = SeededGenerator(seed: seed)
            var pool = RandomPool(from: &source)
            return (0..<200).map { _ in pool.next() }
        }
        #expect(numbers(1) == numbers(1))
        #expect(Set(numbers(1)).isDisjoint(with: numbers(2)))
    }

    private static let shared = Mutex(RandomPool(drawnFrom: SeededGenerator(seed: 3)))

    @Test("gives no number to two threads")
    func threads() async {
        let parts = await withTaskGroup(of: [UInt64].self) { group in
            for _ in 0..<8 {
                group.addTask { (0..<500).map { _ in Self.shared.withLock { $0.next() } } }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(parts).count == 4_000)
    }
}
