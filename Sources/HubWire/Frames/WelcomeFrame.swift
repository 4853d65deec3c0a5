/// WELCOME, which accepts a session; `handle`, `deviceKey` and `trace` borrow the received bytes.
///
///     0 minor u8 | 1 resume u8 | 2 zero u8 | 3 dict u8 (0) | 4 lost u32 | 8 capabilities u64
///     16 device_id id16 | 32 epoch u64 | 40 seq u64 | 48 check u32 | 52 max_frame u32
///     56 server_time_ms u64 | 64 etag u64 | 72 auth_expires u32 | 76 retention_s u32
///     80 keepalive u16 | 82 grace u16 | 84 max_regs u16 | 86 max_tags u16
///     88 max_tag_len u8 | 89 ack_delay u8 | 90 max_receipts u16 | 92 dict_id u64 (0)
///     100 handle[32] | 132 device_key bytes8 | trace str8          big-endian, Protocol §4.2
package struct WelcomeFrame: ~Escapable {
    private let body: Span<UInt8>
    private let handleRange: Range<Int>
    private let keyRange: Range<Int>
    private let traceRange: Range<Int>

    /// Minor version of the session.
    package let minor: UInt8
    /// What became of the device's position.
    package let resume: ResumeOutcome
    /// Entries lost; 0xFFFFFFFF is unknown, 0 unless the outcome is GAP or RESET.
    package let lost: UInt32
    /// What may be used in this session.
    package let capabilities: Capabilities
    /// The device's identity, new or confirmed.
    package let deviceID: ID16
    /// Epoch of the position that the hub continues after; never 0.
    package let epoch: UInt64
    /// Sequence number that the hub continues after.
    package let seq: UInt64
    /// Check of that position.
    package let check: UInt32
    /// Largest body that the hub takes, in bytes.
    package let maxFrame: UInt32
    /// The hub's clock in milliseconds since 1970.
    package let serverTime: UInt64
    /// Registration state of the device's own slots.
    package let etag: UInt64
    /// Seconds until the credentials expire; 0 means that they do not.
    package let authExpires: UInt32
    /// Seconds for which the hub keeps what the device misses.
    package let retention: UInt32
    /// Keep-alive interval in seconds until the first PING says otherwise.
    package let keepalive: UInt16
    /// Slack in seconds.
    package let grace: UInt16
    /// Slots that the device may use.
    package let maxRegistrations: UInt16
    /// Tags of one slot.
    package let maxTags: UInt16
    /// Bytes of one tag.
    package let maxTagLength: UInt8
    /// Longest delay of an ACK, in units of 10 ms.
    package let ackDelay: UInt8
    /// Records of one RECEIPTS.
    package let maxReceipts: UInt16

    /// Refuses anything that is not exactly one WELCOME body of minor version 0.
    @_lifetime(copy body)
    package init(decoding body: Span<UInt8>, header: FrameHeader) throws(WireError) {
        var reader = WireReader(body, of: .welcome)
        minor = try reader.u8()
        guard minor == 0 else { throw reader.failure(.versionUnsupported) }
        guard let resume = ResumeOutcome(rawValue: try reader.u8()) else {
            throw reader.failure(.badField)
        }
        self.resume = resume
        try reader.zero(2)
        lost = try reader.u32()
        try reader.require(lost == 0 || resume == .gap || resume == .reset)
        capabilities = Capabilities(rawValue: try reader.u64())
        deviceID = try reader.id16()
        try reader.require(deviceID != .zero)
        epoch = try reader.u64()
        try reader.require(epoch != 0)
        seq = try reader.u64()
        check = try reader.u32()
        maxFrame = try reader.u32()
        try reader.require(
            maxFrame >= WireLimits.frameBytesFloor,
            limit: WireLimits.frameBytesFloor
        )
        serverTime = try reader.u64()
        etag = try reader.u64()
        authExpires = try reader.u32()
        retention = try reader.u32()
        keepalive = try reader.u16()
        grace = try reader.u16()
        maxRegistrations = try reader.u16()
        maxTags = try reader.u16()
        maxTagLength = try reader.u8()
        ackDelay = try reader.u8()
        maxReceipts = try reader.u16()
        try reader.zero(8)
        handleRange = try reader.run(WireLimits.handleBytes)
        keyRange = try reader.bytes8(max: WireLimits.deviceKeyBytes)
        try reader.require(keyRange.isEmpty || keyRange.count == WireLimits.deviceKeyBytes)
        traceRange = try reader.str8(max: WireLimits.traceBytesMax)
        try reader.finish(header)
        self.body = body
    }

    /// The push handle, 32 bytes; a secret.
    package var handle: Span<UInt8> { @_lifetime(copy self) get { body.extracting(handleRange) } }

    /// The device key, 32 bytes, or empty where the device has it already; a secret.
    package var deviceKey: Span<UInt8> { @_lifetime(copy self) get { body.extracting(keyRange) } }

    /// An opaque text for support.
    package var trace: Span<UInt8> { @_lifetime(copy self) get { body.extracting(traceRange) } }
}
