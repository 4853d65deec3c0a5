/// ACK: everything up to a sequence number is stored on the device.
///
///     seq: u64                                                        big-endian, Protocol §4.14
package struct AckFrame: Equatable, Sendable {
    /// Highest complete sequence number that is stored.
    package var seq: UInt64

    /// An acknowledgement to send.
    package init(seq: UInt64) { self.seq = seq }

    /// Refuses anything that is not exactly one ACK body.
    package init(decoding body: Span<UInt8>, header: FrameHeader) throws(WireError) {
        var reader = WireReader(body, of: .ack)
        seq = try reader.u64()
        try reader.finish(header)
    }

    /// Appends the frame.
    package func encode(into bytes: inout [UInt8]) {
        let frame = WireWriter(.ack, into: &bytes)
        bytes.appendInteger(seq)
        frame.finish(&bytes)
    }
}
