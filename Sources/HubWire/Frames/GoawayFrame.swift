/// GOAWAY: the hub will close.
///
///     reason: u8 | gflags: u8 | alt_port: u16 (0) | min_delay_ms: u32 | spread_ms: u32
///     | alt_host: str8 (empty) | detail: str8                           big-endian, Protocol §4.5
package struct GoawayFrame: Equatable, Sendable {
    private static let mayReconnectFlag: UInt8 = 0x01

    /// See `GoawayReason`; data, not structure.
    package var reason: UInt8
    /// Whether the device may come back by itself.
    package var mayReconnect: Bool
    /// Milliseconds to wait at least.
    package var minDelay: UInt32
    /// Width in milliseconds of the uniform delay on top.
    package var spread: UInt32
    /// A text for logs; cut at `detailBytesMax` bytes.
    package var detail: String

    /// A reason, whether to come back, and within which milliseconds.
    package init(
        reason: GoawayReason,
        mayReconnect: Bool = true,
        minDelay: UInt32,
        spread: UInt32,
        detail: String = ""
    ) {
        self.reason = reason.rawValue
        self.mayReconnect = mayReconnect
        self.minDelay = minDelay
        self.spread = spread
        self.detail = detail
    }

    /// Refuses anything that is not exactly one GOAWAY body.
    package init(decoding body: Span<UInt8>, header: FrameHeader) throws(WireError) {
        var reader = WireReader(body, of: .goaway)
        reason = try reader.u8()
        let flags = try reader.u8()
        guard flags & 0x0E == 0 else { throw reader.failure(.unknownFlag) }
        mayReconnect = flags & Self.mayReconnectFlag != 0
        try reader.zero(2)
        minDelay = try reader.u32()
        spread = try reader.u32()
        let host = try reader.str8(max: WireLimits.alternateHostBytesMax)
        try reader.require(host.isEmpty)
        detail = try reader.text8(max: WireLimits.detailBytesMax)
        try reader.finish(header)
    }

    /// Appends the frame; a detail that is too long is cut.
    package func encode(into bytes: inout [UInt8]) {
        let frame = WireWriter(.goaway, into: &bytes)
        bytes.append(reason)
        bytes.append(mayReconnect ? Self.mayReconnectFlag : 0)
        bytes.appendInteger(UInt16(0))
        bytes.appendInteger(minDelay)
        bytes.appendInteger(spread)
        bytes.append(0)
        bytes.appendDetail(detail, max: WireLimits.detailBytesMax)
        frame.finish(&bytes)
    }
}
