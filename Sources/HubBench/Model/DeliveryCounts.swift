/// The counts of deliveries: all but the first two should be zero.
package struct DeliveryCounts: Codable, Equatable, Sendable {
    /// Deliveries that were owed.
    package var expected = 0
    /// Deliveries that came, each counted once.
    package var delivered = 0
    /// Deliveries that neither came nor were announced as lost.
    package var lost = 0
    /// Deliveries that came again.
    package var duplicated = 0
    /// Deliveries to devices that should not have them, or of notifications that this run did not send.
    package var misrouted = 0
    /// Requests that were not answered as they should be.
    package var sendsFailed = 0

    /// Nothing yet.
    package init() {}

    /// Whether nothing was lost, doubled, misrouted or refused.
    package var isExact: Bool {
        lost == 0 && duplicated == 0 && misrouted == 0 && sendsFailed == 0
    }

    mutating func add(_ other: DeliveryCounts) {
        expected += other.expected
        delivered += other.delivered
        lost += other.lost
        duplicated += other.duplicated
        misrouted += other.misrouted
        sendsFailed += other.sendsFailed
    }
}
