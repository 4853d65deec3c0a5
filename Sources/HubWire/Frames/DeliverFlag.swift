/// Bits of an entry's `eflags`; the low nibble is critical.
package enum DeliverFlag {
    /// May have been sent on an earlier connection.
    package static let redelivered: UInt8 = 0x01
    /// Not part of the log: no position, no acknowledgement, at most once.
    package static let transient: UInt8 = 0x02
    /// Another registration of the same sequence number follows.
    package static let continues: UInt8 = 0x04
    /// The critical bits that version 1 does not know.
    static let unknownCritical: UInt8 = 0x08
}
