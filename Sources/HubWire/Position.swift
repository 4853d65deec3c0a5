/// How far a device has come in the hub's log.
///
///     epoch: u64 | seq: u64 | check: u32                                big-endian
///
/// Source: rules B.1.
package struct Position: Hashable, Sendable {
    /// The log's epoch; 0 means that there is no position, and then the others are 0 too.
    package var epoch: UInt64
    /// The highest sequence number that is stored completely.
    package var sequence: UInt64
    /// The fingerprint of the record at `sequence`.
    package var check: UInt32

    /// A position of its parts.
    package init(epoch: UInt64, sequence: UInt64, check: UInt32) {
        self.epoch = epoch
        self.sequence = sequence
        self.check = check
    }

    /// The position of a device that has none.
    package static let none = Position(epoch: 0, sequence: 0, check: 0)

    init(_ reader: inout WireReader) throws(WireError) {
        epoch = try reader.u64()
        sequence = try reader.u64()
        check = try reader.u32()
    }

    func append(to bytes: inout [UInt8]) {
        bytes.appendInteger(epoch)
        bytes.appendInteger(sequence)
        bytes.appendInteger(check)
    }
}
