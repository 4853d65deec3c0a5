import HubModel
import HubVocabulary

/// When test sends were admitted within the last minute.
struct TestSendRate {
    private static let minuteMilliseconds: UInt64 = 60_000

    private var admitted: [Instant] = []

    /// Admits one more test send, if there were less than `limit` in the last minute.
    ///
    /// - Throws: `.throttled` with the time until there is room.
    mutating func admit(limit: Int, now: Instant) throws(Refusal) {
        let minute = Self.minuteMilliseconds
        admitted.removeAll { now.milliseconds(since: $0) >= minute }
        guard admitted.count >= limit, let first = admitted.first else {
            return admitted.append(now)
        }
        let left = minute - now.milliseconds(since: first)
        throw .throttled(retryAfterSeconds: Int((left + 999) / 1_000))
    }
}
