/// BYE: the device leaves in an orderly way.
///
///     reason: u8 | zero: 3 bytes | expected_return_s: u32               big-endian, Protocol §4.6
package struct ByeFrame: Equatable, Sendable {
    /// 0 shutdown, 1 network change, 2 background, 3 logout, 4 low power; others: shutdown.
    package var reason: UInt8
    /// Seconds after which the device expects to be back; 0 is unknown.
    package var expectedReturn: UInt32

    /// The fields of a BYE to send.
    package init(reason: UInt8, expectedReturn: UInt32 = 0) {
        self.reason = reason
        self.expectedReturn = expectedReturn
    }

    /// Refuses anything that is not exactly one BYE body.
    package init(decoding body: Span<UInt8>, header: FrameHeader) throws(WireError) {
        var reader = WireReader(body, of: .bye)
        reason = try reader.u8()
        try reader.zero(3)
        expectedReturn = try reader.u32()
        try reader.finish(header)
    }

    /// Appends the frame.
    package func encode(into bytes: inout [UInt8]) {
        let frame = WireWriter(.bye, into: &bytes)
        bytes.append(reason)
        bytes.append(0)
        bytes.appendInteger(UInt16(0))
        bytes.appendInteger(expectedReturn)
        frame.finish(&bytes)
    }
}
