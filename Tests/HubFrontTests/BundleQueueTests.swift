import HubFront
import HubVocabulary
import Testing

@Suite("Sends that wait for a bundle")
struct BundleQueueTests {
    private static func instant(_ milliseconds: UInt64) -> Instant {
        Instant(nanoseconds: 0).adding(milliseconds: milliseconds)
    }

    private static func queue(
        _ change: (inout FrontLimits.Bundles) -> Void = { _ in }
    ) -> BundleQueue<Int> {
        var limits = FrontLimits.Bundles()
        change(&limits)
        return BundleQueue(limits)
    }

    /// Adds some; none may want a carrier.
    private static func add(_ sends: ClosedRange<Int>, to queue: inout BundleQueue<Int>) {
        for send in sends {
            let begins = queue.add(send, bytes: 1, now: instant(0))
            #expect(!begins, "\(send)")
        }
    }

    @Test("begin a carrier while few are under way, which takes all that came before it does")
    func carriers() {
        var queue = Self.queue { $0.carriers = 2 }
        #expect(queue.isIdle)
        #expect(queue.add(1, bytes: 1, now: Self.instant(0)) == true)
        Self.add(2...3, to: &queue)
        #expect(queue.take() == [1, 2, 3])
        #expect(queue.add(4, bytes: 1, now: Self.instant(0)) == true)
        #expect(queue.take() == [4])
        Self.add(5...6, to: &queue)
        #expect(queue.waitingCount == 2)
        // The first that returns takes them; the other one ends and leaves its place to the next.
        #expect(queue.take() == [5, 6])
        #expect(queue.take() == [])
        #expect(queue.add(7, bytes: 1, now: Self.instant(0)) == true)
        #expect(queue.take() == [7])
        #expect(queue.waitingCount == 0 && !queue.isIdle)
        for _ in 0..<2 { #expect(queue.take() == []) }
        #expect(queue.isIdle)
    }

    @Test("begin one more carrier when they are worth it, up to the limit", arguments: [2, 5])
    func more(most: Int) {
        var queue = Self.queue {
            $0.carriers = 1
            $0.carriersMax = most
        }
        let worth = FrontLimits.Bundles().worthOne
        #expect(queue.add(0, bytes: 1, now: Self.instant(0)) == true)
        #expect(queue.take() == [0])
        for _ in 1..<most {
            Self.add(1...worth - 1, to: &queue)
            #expect(queue.add(worth, bytes: 1, now: Self.instant(0)) == true)
            // It takes whatever comes before it begins.
            Self.add(worth + 1...worth + 1, to: &queue)
            #expect(queue.take() == Array(1...worth + 1))
        }
        Self.add(1...worth * 2, to: &queue)
        #expect(queue.take() == Array(1...worth * 2))
        // One that returns to a few leaves them to those that are still under way.
        Self.add(1...worth - 1, to: &queue)
        for _ in 1..<most { #expect(queue.take() == []) }
        #expect(queue.take() == Array(1...worth - 1))
        #expect(queue.take() == [])
        #expect(queue.isIdle)
    }

    @Test("are as many in a bundle as the limit says", arguments: [-1, 0, 1])
    func count(beyond: Int) {
        var queue = Self.queue()
        let most = FrontLimits.Bundles().sends
        let all = Array(0..<most + beyond)
        for one in all { _ = queue.add(one, bytes: 1, now: Self.instant(0)) }
        #expect(queue.take() == Array(all.prefix(most)))
        // What a full one leaves does not wait until it is back.
        #expect(queue.begin() == (beyond > 0))
        #expect(queue.begin() == false)
        #expect(queue.take() == Array(all.dropFirst(most)))
    }

    @Test("have the limit's bytes in a bundle, or are one", arguments: [-1, 0, 1])
    func bytes(beyond: Int) {
        var queue = Self.queue()
        let most = FrontLimits.Bundles().bytes
        _ = queue.add(1, bytes: 1, now: Self.instant(0))
        _ = queue.add(2, bytes: most - 1 + beyond, now: Self.instant(0))
        _ = queue.add(3, bytes: most + 1, now: Self.instant(0))
        let bundles = (0..<3).map { _ in queue.take() }
        #expect(bundles == (beyond > 0 ? [[1], [2], [3]] : [[1, 2], [3], []]))
    }

    @Test("wait no longer than the limit says for a carrier", arguments: [-1, 0, 1])
    func wait(beyond: Int) {
        var queue = Self.queue { $0.carriers = 1 }
        let most = FrontLimits.Bundles().waitMilliseconds
        _ = queue.add(0, bytes: 1, now: Self.instant(0))
        #expect(queue.take() == [0])
        _ = queue.add(1, bytes: 1, now: Self.instant(5))
        _ = queue.add(2, bytes: 1, now: Self.instant(5))
        _ = queue.add(3, bytes: 1, now: Self.instant(100))
        let now = Self.instant(UInt64(Int(most) + 5 + beyond))
        #expect(queue.expire(now: now) == (beyond < 0 ? [] : [1, 2]))
        #expect(queue.take() == (beyond < 0 ? [1, 2, 3] : [3]))
    }
}
