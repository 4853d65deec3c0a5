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
        return try removeOldest(before: next, in: folder)
    }

    /// Removes the oldest slice when all of it lies below a place, and another is there; whether it
    /// did.
    func trim(below first: UInt64, in folder: StoreFolder) throws(StoreError) -> Bool {
        let next = state.withLock { $0.slices.dropFirst().first?.row.first }
        guard let next, next <= first else { return false }
        _ = try removeOldest(before: next, in: folder)
        return true
    }

    private func removeOldest(
        before next: UInt64,
        in folder: StoreFolder
    ) throws(StoreError) -> ClosedRange<UInt64> {
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
