package import HubVocabulary

/// Idempotency keys of records, a page of them.
package struct LogKeyPage: Equatable, Sendable {
    /// A key, and when its record was accepted.
    package struct Entry: Equatable, Sendable {
        /// The key's hash.
        package let scope: KeyHash
        /// The time of its record.
        package let time: Timestamp

        /// Joins both.
        package init(scope: KeyHash, time: Timestamp) { (self.scope, self.time) = (scope, time) }
    }

    /// Ascending by time.
    package var entries: [Entry] = []
    /// Where the next page begins; nil for the last one.
    package var end: UInt64?

    /// An empty page, the last one.
    package init() {}
}
