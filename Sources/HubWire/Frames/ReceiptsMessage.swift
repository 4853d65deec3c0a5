/// The content of a RECEIPTS frame, as a device composes it.
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
