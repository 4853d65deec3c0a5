/// What happened to a notification on the device; an unknown number is kept as it is.
package enum ReceiptEvent: UInt8, CaseIterable, Sendable {
    case stored = 1
    case displayed = 2
    case opened = 3
    case dismissed = 4
    case actionChosen = 5
    case undecodable = 6
    case expired = 7
    case suppressed = 8
    case duplicate = 9
}

/// One record of RECEIPTS.
///
///     notification: id16 | event: u8 | action: u8 | slot: u16 | zero: u32 | at_ms: u64
package struct Receipt: Equatable, Sendable {
    /// Which notification.
    package var notification: ID16
    /// See `ReceiptEvent`; data, not structure.
    package var event: UInt8
    /// Index of the chosen action.
    package var action: UInt8
    /// The registration that it came for.
    package var slot: UInt16
    /// When, by the device's clock, in milliseconds since 1970.
    package var time: UInt64

    /// The fields of a record.
    package init(notification: ID16, event: UInt8, action: UInt8 = 0, slot: UInt16, time: UInt64) {
        self.notification = notification
        self.event = event
        self.action = action
        self.slot = slot
        self.time = time
    }
}

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
        try reader.require(1...WireLimits.receiptsMax ~= count, limit: WireLimits.receiptsMax)
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

/// What a device puts into RECEIPTS.
package struct ReceiptsMessage: Equatable, Sendable {
    /// Records, 1 to 64.
    package var receipts: [Receipt]

    /// Records to send, 1 to 64.
    package init(_ receipts: [Receipt]) { self.receipts = receipts }

    /// The records of a received RECEIPTS.
    package init(_ frame: borrowing ReceiptsFrame) {
        receipts = []
        for index in 0..<frame.count { receipts.append(frame[index]) }
    }

    /// Appends the frame; traps on no record and on more than 64.
    package func encode(into bytes: inout [UInt8], ref: UInt16) {
        precondition(ref != 0, "a request needs an id")
        precondition(1...WireLimits.receiptsMax ~= receipts.count, "\(receipts.count) receipts")
        let frame = WireWriter(.receipts, ref: ref, into: &bytes)
        bytes.appendInteger(UInt16(receipts.count))
        bytes.appendInteger(UInt16(0))
        bytes.appendInteger(UInt32(0))
        for receipt in receipts {
            receipt.notification.append(to: &bytes)
            bytes.append(receipt.event)
            bytes.append(receipt.action)
            bytes.appendInteger(receipt.slot)
            bytes.appendInteger(UInt32(0))
            bytes.appendInteger(receipt.time)
        }
        frame.finish(&bytes)
    }
}
