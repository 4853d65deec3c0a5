/// PONG: the answer to PING.
///
///     token: u32 | hint_s: u16 | zero: u16 | server_time_ms: u64        big-endian, Protocol §4.4
package struct PongFrame: Equatable, Sendable {
    /// The token of the PING.
    package var token: UInt32
    /// An interval in seconds that the hub proposes; 0 is none.
    package var hintSeconds: UInt16
    /// The hub's clock in milliseconds since 1970.
    package var serverTime: UInt64

    /// The fields of a PONG to send.
    package init(token: UInt32, hintSeconds: UInt16 = 0, serverTime: UInt64) {
        self.token = token
        self.hintSeconds = hintSeconds
        self.serverTime = serverTime
    }

    /// Refuses anything that is not exactly one PONG body.
    package init(decoding body: Span<UInt8>, header: FrameHeader) throws(WireError) {
        var reader = WireReader(body, of: .pong)
        token = try reader.u32()
        hintSeconds = try reader.u16()
        try reader.zero(2)
        serverTime = try reader.u64()
        try reader.finish(header)
    }

    /// Appends the frame.
    package func encode(into bytes: inout [UInt8]) {
        let frame = WireWriter(.pong, into: &bytes)
        bytes.appendInteger(token)
        bytes.appendInteger(hintSeconds)
        bytes.appendInteger(UInt16(0))
        bytes.appendInteger(serverTime)
        frame.finish(&bytes)
    }
}
