/// RECEIPTS: what happened to notifications; records are read where they lie.
///
///     count: u16 (1..64) | zero: 6 bytes | count x record of 32 bytes   big-endian, Protocol §4.16
package struct ReceiptsFrame: ~Escapable {
    private let body: Span<UInt8>
    /// The request id, never 0.
    package let ref: UInt16
    /// Records of the frame, 1 to 64.
    package let count: Int

    private static let recordsStart = 8
    private static let recordBytes = 32

    /// Refuses anything that is not exactly one RECEIPTS body.
    @_lifetime(copy body)
    package init(decoding body: Span<UInt8>, header: FrameHeader) throws(WireError) {
        var reader = WireReader(body, of: .receipts)
        ref = header.ref
        count = Int(try reader.u16())
        try reader.require(count >= 1, limit: 1)
        try reader.require(count <= WireLimits.receiptsMax, limit: WireLimits.receiptsMax)
        try reader.zero(6)
        guard count * Self.recordBytes <= reader.remaining else {
            throw reader.failure(.badLength)
        }
        for _ in 0..<count {
            _ = try reader.run(20)
            try reader.zero(4)
            _ = try reader.run(8)
        }
        try reader.finish(header)
        self.body = body
    }

    /// The record at an index below `count`.
    package subscript(index: Int) -> Receipt {
        precondition(0..<count ~= index, "receipt \(index) of \(count)")
        let start = Self.recordsStart + index * Self.recordBytes
        let high = UInt64(body.bigEndian(at: start + 24, byteCount: 4))
        let low = UInt64(body.bigEndian(at: start + 28, byteCount: 4))
        return Receipt(
            notification: ID16(body.extracting(start..<(start + 16))),
            event: body[start + 16],
            action: body[start + 17],
            slot: UInt16(body.bigEndian(at: start + 18, byteCount: 2)),
            time: high << 32 | low
        )
    }
}
