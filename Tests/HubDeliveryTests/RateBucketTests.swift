import HubDelivery
import HubVocabulary
import Testing

@Suite("A bucket of tokens")
struct RateBucketTests {
    private struct Request {
        var amount: UInt32
        var milliseconds: UInt64
    }

    private static func time(_ milliseconds: UInt64) -> Instant {
        Instant(nanoseconds: milliseconds * 1_000_000)
    }

    /// Which requests a bucket that is full at first grants.
    private static func granted(
        _ requests: [Request],
        from start: UInt64 = 0,
        perSecond: UInt32 = 10,
        burst: UInt32 = 100
    ) -> [Bool] {
        var bucket = RateBucket(now: time(start))
        return requests.map { request in
            bucket.take(
                request.amount,
                perSecond: perSecond,
                burst: burst,
                now: time(request.milliseconds)
            )
        }
    }

    @Test("gives its burst at once and its rate afterwards, to the millisecond")
    func rate() {
        let granted = Self.granted(
            [
                Request(amount: 100, milliseconds: 7),
                Request(amount: 1, milliseconds: 106),
                Request(amount: 1, milliseconds: 107),
                Request(amount: 1, milliseconds: 107),
                Request(amount: 100, milliseconds: 60_000),
                Request(amount: 1, milliseconds: 60_000),
            ],
            from: 7
        )
        #expect(granted == [true, false, true, false, true, false])
    }

    @Test("never has more than its burst, and refuses more than it at once")
    func burst() {
        let granted = Self.granted([
            Request(amount: 101, milliseconds: 1_000_000),
            Request(amount: 100, milliseconds: 1_000_000),
            Request(amount: 1, milliseconds: 1_000_000),
        ])
        #expect(granted == [false, true, false])
    }

    @Test("counts a burst above its largest as the largest")
    func largest() {
        let granted = Self.granted(
            [
                Request(amount: RateBucket.burstMax, milliseconds: 0),
                Request(amount: 1, milliseconds: 0),
                Request(amount: 1, milliseconds: 1_000),
            ],
            perSecond: 1,
            burst: .max
        )
        #expect(granted == [true, false, true])
    }

    @Test("goes on when its time comes round")
    func round() {
        let end = UInt64(UInt32.max)
        let granted = Self.granted(
            [
                Request(amount: 100, milliseconds: end),
                Request(amount: 1, milliseconds: end + 99),
                Request(amount: 1, milliseconds: end + 100),
            ],
            from: end
        )
        #expect(granted == [true, false, true])
    }
}
