import HubVocabulary
import Testing

@Suite("Histograms of latencies")
struct LatencyHistogramTests {
    private func histogram(_ milliseconds: [Double]) -> LatencyHistogram {
        var all = LatencyHistogram()
        for time in milliseconds {
            let end = Instant(nanoseconds: 1_000 + UInt64(time * 1e6))
            all.add(from: Instant(nanoseconds: 1_000), to: end)
        }
        return all
    }

    @Test("count a time at an end below it, and one above the last end in a bucket of its own")
    func ends() {
        let ends = LatencyHistogram.ends
        #expect(ends == ends.sorted() && Set(ends).count == 16)
        for (bucket, end) in ends.enumerated() {
            for (time, place) in [(end - 1, bucket), (end, bucket), (end + 1, bucket + 1)] {
                var all = LatencyHistogram()
                let start = Instant(nanoseconds: 5)
                all.add(from: start, to: Instant(nanoseconds: 5 + time), times: 3)
                #expect(all.counts[place] == 3 && all.count == 3, "\(time)")
                #expect(all.nanoseconds == 3 * time)
            }
        }
    }

    @Test("take a clock that stands still, or an end before the start, for no time")
    func backwards() {
        var all = LatencyHistogram()
        all.add(from: Instant(nanoseconds: 9), to: Instant(nanoseconds: 9))
        all.add(from: Instant(nanoseconds: 9), to: Instant(nanoseconds: 1))
        #expect(all.counts[0] == 2 && all.nanoseconds == 0)
    }

    @Test("of several add up, and what came since a reading is told apart")
    func sums() {
        let first = histogram([0.05, 3, 60])
        var all = first
        all.add(histogram([3, 20_000]))
        #expect(all == histogram([0.05, 3, 3, 60, 20_000]))
        #expect(all.since(first) == histogram([3, 20_000]))
        #expect(all.since(all) == LatencyHistogram())
        // A shard that did not answer is missing from the later reading.
        #expect(first.since(all) == first)
    }

    @Test("tell within which time a share stayed")
    func shares() throws {
        #expect(LatencyHistogram().milliseconds(within: 0.5) == nil)
        let all = histogram(Array(repeating: 0.7, count: 98) + [40, 30_000])
        let half = try #require(all.milliseconds(within: 0.5))
        #expect(half > 0.5 && half <= 1)
        let most = try #require(all.milliseconds(within: 0.99))
        #expect(most > 25 && most <= 50)
        // Above the last end nothing is known but that it is above.
        #expect(all.milliseconds(within: 1) == 10_000)
    }
}
