/// Counts that a lane gave up by an operator's word.
package struct RelaySkip: Hashable, Sendable {
    /// Notifications for one device each that were waiting and ended.
    package var ended: Int
    /// Records of the log up to the place that are passed over as they are read.
    package var unread: UInt64

    /// Makes one of its parts.
    package init(ended: Int, unread: UInt64) {
        self.ended = ended
        self.unread = unread
    }
}
