import HubModel
import HubVocabulary
import Synchronization

extension SlicedLog {
    /// Removes the oldest slice when it may go; the places that went, or nil.
    ///
    /// Where the log begins is durable before the file goes: whichever of the two a crash cuts off,
    /// opening comes to the same log.
    func trim(
        now: Timestamp,
        retention: RecordRetention,
        in folder: StoreFolder
    ) throws(StoreError) -> ClosedRange<UInt64>? {
        guard isOver(now: now, retention) else { return nil }
        // The present slice may be all there is: then an empty one takes its place.
        if state.withLock({ $0.slices.count == 1 }) { try cut(in: folder) }
        guard let next = state.withLock({ $0.slices.dropFirst().first?.row.first }) else {
            return nil
        }
        try change { $0.logFirst = next }
        let slice = state.withLock { $0.slices.removeFirst() }
        slice.file?.file.close()
        folder.remove(SliceFile.name(slice.row.number))
        return slice.row.first...max(slice.row.first, next - 1)
    }

    /// Whether everything in the oldest slice may go.
    private func isOver(now: Timestamp, _ retention: RecordRetention) -> Bool {
        state.withLock { state in
            guard let slice = state.slices.first else { return false }
            let isPresent = state.slices.count == 1
            if slice.end.head < slice.row.first { return !isPresent }
            return retention.lets(
                goWhatExpiresBy: slice.end.newestExpiry,
                acceptedBy: slice.end.newestTime,
                isPurged: slice.end.head <= state.purged,
                now: now
            )
        }
    }

    /// Bytes of all files of the log, about.
    var bytes: Int { state.withLock { $0.slices.reduce(0) { $0 + $1.bytes } } }
}

/// A wall clock that is believed only when it goes on as it went.
///
/// A leap forward, or a wrong time at start, would let everything expire at once, and what was
/// removed does not come back. So a time from which the clock has leapt away is gone on with until
/// the new one has held for a while.
struct TrustedClock {
    private let doubtMilliseconds: UInt64
    /// The last reading that was believed; nil until the first is.
    private var believed: Now?
    /// Since when a clock that leapt has been doubted.
    private var doubted: Now?

    /// A clock that leaps by less is believed.
    private static let leapMilliseconds: UInt64 = 60_000

    init(doubtMilliseconds: UInt64) { self.doubtMilliseconds = doubtMilliseconds }

    /// The time as far as it is believed; nil while nothing is known.
    mutating func time(_ now: Now) -> Timestamp? {
        if let believed, now.time <= now.expected(after: believed, Self.leapMilliseconds) {
            self.believed = now
            doubted = nil
            return now.time
        }
        // A second leap is doubted anew.
        if let since = doubted, now.time <= now.expected(after: since, Self.leapMilliseconds) {
            if now.instant.milliseconds(since: since.instant) >= doubtMilliseconds {
                believed = now
                doubted = nil
                return now.time
            }
        } else {
            doubted = now
            if doubtMilliseconds == 0 { return time(now) }
        }
        return believed.map { now.expected(after: $0, 0) }
    }
}

extension Now {
    /// The time that it would be if the wall clock had gone on as the other one, and some more.
    fileprivate func expected(after earlier: Now, _ more: UInt64) -> Timestamp {
        let passed = instant.milliseconds(since: earlier.instant)
        return Timestamp(milliseconds: earlier.time.milliseconds &+ passed &+ more)
    }
}
