/// Reads of the log from any thread.
package protocol LogReading: MissedReading, Sendable {
    /// Records in `(after, through]` in ascending order, at most `limit`, until about `bytesMax`
    /// bytes of bodies; at least one when there is one.
    func records(
        after: UInt64,
        through: UInt64,
        limit: Int,
        bytesMax: Int
    ) throws(StoreError) -> [NotificationRecord]
}
