import TLSRecords

/// Sizes of the transport's shared buffers; the code's own, not for configuration.
enum BufferSizes {
    /// Ciphertext taken from a socket at once.
    static let input = 65_536
    /// Plaintext of one event: what was received plus a record that was begun earlier.
    static let plain = input + 2 * recordBytes
    /// The largest plaintext of one TLS record.
    static let recordBytes = RecordLimits.plaintextBytesMax
    /// Sealed bytes gathered before they are submitted.
    static let sealedBatch = 196_608
    /// Bytes to which the sealed batch may grow: itself, one connection's turn and a TLS flight.
    static let sealedBatchLimit = 4_194_304
    /// Connections whose sealed bytes are submitted together.
    static let batchEntries = 256
    /// Events taken from the kernel in one turn.
    static let events = 512
}
