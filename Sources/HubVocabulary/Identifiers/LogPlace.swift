/// A place in the log's order: everything accepted at or after it sees what became effective there.
package struct LogPlace: Hashable, Sendable {
    /// The log's epoch.
    package var epoch: UInt64
    /// A sequence number.
    package var sequence: UInt64

    /// Makes a place of its parts.
    package init(epoch: UInt64, sequence: UInt64) {
        self.epoch = epoch
        self.sequence = sequence
    }
}
