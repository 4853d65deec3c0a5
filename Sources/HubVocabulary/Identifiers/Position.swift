/// How far a device has come: Protocol's position, rules B.1.
package struct Position: Hashable, Sendable {
    /// The log's epoch; 0 means "no position" and then the others are 0 too.
    package var epoch: UInt64
    /// The highest complete sequence number; 0 means nothing yet.
    package var sequence: UInt64
    /// The fingerprint of the record at `sequence`.
    package var check: UInt32

    /// Makes a position of its parts.
    package init(epoch: UInt64, sequence: UInt64, check: UInt32) {
        self.epoch = epoch
        self.sequence = sequence
        self.check = check
    }

    /// The position of a device that has none.
    package static let none = Position(epoch: 0, sequence: 0, check: 0)
}
