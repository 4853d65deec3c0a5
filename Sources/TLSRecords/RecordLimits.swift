/// The most that one connection's records may cost.
///
/// Source: rules D.2 and RFC 8446 §5.
package struct RecordLimits: Sendable, Equatable {
    /// Records sealed with one key; below what RFC 8446 §5.5 allows for AES-GCM.
    package var recordsPerKey: UInt64 = 1 << 24
    /// Records in front of that limit from which on a connection should end.
    package var recordsReserved: UInt64 = 4_096
    /// KeyUpdates taken in a minute.
    package var keyUpdatesPerMinute = 8
    /// Records without content taken in a minute.
    package var emptyRecordsPerMinute = 32
    /// Alerts in a row that say nothing (user_canceled).
    package var idleAlerts = 4

    /// The largest content of a record, in bytes.
    package static let plaintextBytesMax = 16_384
    /// The largest length that a record's header may say.
    package static let ciphertextBytesMax = 16_384 + 256
    /// Bytes in front of every record.
    package static let headerBytes = 5
    /// Bytes of every suite's tag.
    package static let tagBytes = 16
    /// Bytes of every suite's nonce.
    package static let nonceBytes = 12
    /// Bytes by which a record is larger than its content: header, content type and tag.
    package static let overheadBytes = headerBytes + 1 + tagBytes

    /// The defaults.
    package init() {}
}
