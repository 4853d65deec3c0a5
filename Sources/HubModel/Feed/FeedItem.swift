package import HubVocabulary

/// One group commit, in the order in which it took effect: changes first, then records.
package final class FeedItem: Sendable {
    /// Dense per hub and process, from 1.
    package let number: UInt64
    /// Changes whose effective place is the first record's (or the next one's) number.
    package let changes: [RegistrationChange]
    /// Records, ascending.
    package let records: [NotificationRecord]
    /// The log's head after this item.
    package let head: UInt64
    /// The check value of the record at the head.
    package let headCheck: UInt32
    /// When the store said that it is durable.
    package let durable: Instant

    /// Makes an item.
    package init(
        number: UInt64,
        changes: [RegistrationChange],
        records: [NotificationRecord],
        head: UInt64,
        headCheck: UInt32,
        durable: Instant
    ) {
        self.number = number
        self.changes = changes
        self.records = records
        self.head = head
        self.headCheck = headCheck
        self.durable = durable
    }
}
