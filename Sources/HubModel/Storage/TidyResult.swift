/// The result of one step of a store's housekeeping.
package struct TidyResult: Hashable, Sendable {
    /// Whether another step would find something to do at once.
    package var hasMore = false
    /// Places whose records were removed, because all had expired or were purged; nil for none.
    package var removed: ClosedRange<UInt64>?
    /// Bytes that the log takes, about; a store that does not count says 0.
    package var logBytes = 0
    /// Parts of the log whose lists of records were found damaged since the last step; what they
    /// would have said is worked out from the records.
    package var damagedLists: [Int] = []

    /// Nothing was done.
    package init() {}
}
