package import HubVocabulary

/// Reads of the idempotency keys of a log's records, from any thread.
package protocol KeyReading: Sendable {
    /// A page of at most `limit` keys of records up to `through` that were accepted from a time on,
    /// ascending; `end` is that of the page before, 0 for the first one.
    ///
    /// Keys that were forgotten may be among them, and pages may be empty before the last one.
    func keys(
        behind end: UInt64,
        through: UInt64,
        from time: Timestamp,
        limit: Int
    ) throws(StoreError) -> LogKeyPage
}
