/// PING: the device lives, and says when it will speak again.
///
///     next_s: u16 | net_type: u8 | zero: u8 | token: u32 | ack: u64     big-endian, Protocol §4.3
package struct PingFrame: Equatable, Sendable {
    /// Seconds within which the device will speak again.
    package var nextSeconds: UInt16
    /// Network as in HELLO.
    package var netType: UInt8
    /// Comes back in PONG.
    package var token: UInt32
    /// An acknowledgement as in ACK; 0 is none.
    package var ack: UInt64

    /// The fields of a PING to send.
    package init(nextSeconds: UInt16, netType: UInt8 = 0, token: UInt32, ack: UInt64 = 0) {
        self.nextSeconds = nextSeconds
        self.netType = netType
        self.token = token
        self.ack = ack
    }

    /// Refuses anything that is not exactly one PING body.
    package init(decoding body: Span<UInt8>, header: FrameHeader) throws(WireError) {
        var reader = WireReader(body, of: .ping)
        nextSeconds = try reader.u16()
        netType = try reader.u8()
        try reader.zero(1)
        token = try reader.u32()
        ack = try reader.u64()
        try reader.finish(header)
    }

    /// Appends the frame.
    package func encode(into bytes: inout [UInt8]) {
        let frame = WireWriter(.ping, into: &bytes)
        bytes.appendInteger(nextSeconds)
        bytes.append(netType)
        bytes.append(0)
        bytes.appendInteger(token)
        bytes.appendInteger(ack)
        frame.finish(&bytes)
    }
}
