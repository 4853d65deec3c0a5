/// The view of the log from which missed sets are worked out.
package protocol MissedReading {
    /// The last purged record that has left the log; 0 when the log holds each that was purged.
    ///
    /// Source: rules B.6.
    var purgedGone: UInt64 { get }

    /// The check value at a place: 0 at sequence 0, nil when the log does not hold it.
    func check(at sequence: UInt64) throws(StoreError) -> UInt32?

    /// The records in `(after, through]` that any of `anchors` lists, at least up to where `limit`
    /// of them are found; a few may be listed that have none of the anchors.
    ///
    /// Source: rules A.7.
    func candidates(
        anchors: Set<AnchorKey>,
        after: UInt64,
        through: UInt64,
        limit: Int
    ) throws(StoreError) -> LogCandidates

    /// The records at these places, which ascend, until about `bytesMax` bytes of bodies; at least
    /// the first that there is. Places that the log does not hold are left out.
    func records(
        at sequences: ArraySlice<UInt64>,
        bytesMax: Int
    ) throws(StoreError) -> [NotificationRecord]

    /// Returns the headers of the records at these places, which ascend; skips places that the log
    /// does not hold.
    func headers(at sequences: ArraySlice<UInt64>) throws(StoreError) -> [RecordHeader]
}
