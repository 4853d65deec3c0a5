/// HELLO, which opens a session; `hub` and `auth` borrow the received bytes.
///
///     0 magic u32 | 4 minor_min u8 | 5 minor_max u8 | 6 net_type u8 | 7 zero u8
///     8 capabilities u64 | 16 device_id id16 | 32 instance u64
///     40 epoch u64 | 48 seq u64 | 56 check u32 | 60 max_frame u32 | 64 etag u64
///     72 max_payload u32 | 76 window_bytes u32 | 80 window_msgs u16
///     82 keepalive_min u16 | 84 keepalive_max u16 | 86 auth_method u8 | 87 dict_count u8 (0)
///     88 hub str8 | auth bytes16                                   big-endian, Protocol §4.1
package struct HelloFrame: ~Escapable {
    /// `BLF1`.
    package static let magic: UInt32 = 0x424C_4631

    private let body: Span<UInt8>
    private let hubRange: Range<Int>
    private let authRange: Range<Int>

    /// Lowest minor version that the device accepts; 0 here, since others are refused.
    package let minorMin: UInt8
    /// Highest minor version that the device accepts.
    package let minorMax: UInt8
    /// 0 unknown, 1 ethernet, 2 wifi, 3 cellular, 4 loopback, 5 very constrained; others: unknown.
    package let netType: UInt8
    /// What the device can do, unknown bits included.
    package let capabilities: Capabilities
    /// Zero asks for a new identity.
    package let deviceID: ID16
    /// Random for each start of the device's process.
    package let instance: UInt64
    /// Epoch of the device's position; 0 means that it has none.
    package let epoch: UInt64
    /// Highest sequence number that the device has stored completely.
    package let seq: UInt64
    /// Check of that position.
    package let check: UInt32
    /// Largest body that the device takes, at least `frameBytesFloor`.
    package let maxFrame: UInt32
    /// Registration state that the device believes in; 0 means none.
    package let etag: UInt64
    /// Largest payload that the device takes, at least `payloadBytesFloor`.
    package let maxPayload: UInt32
    /// Window in bytes, at least `windowBytesFloor`.
    package let windowBytes: UInt32
    /// Window in entries; 0 pauses.
    package let windowMessages: UInt16
    /// Shortest keep-alive interval that the device can do, in seconds.
    package let keepaliveMin: UInt16
    /// Longest keep-alive interval that the device can do, in seconds; not below the shortest.
    package let keepaliveMax: UInt16
    /// How the device authenticates.
    package let authMethod: AuthMethod

    /// Refuses anything that is not exactly one HELLO body of a minor version spoken here.
    @_lifetime(copy body)
    package init(decoding body: Span<UInt8>, header: FrameHeader) throws(WireError) {
        var reader = WireReader(body, of: .hello)
        guard try reader.u32() == Self.magic else { throw reader.failure(.badMagic) }
        minorMin = try reader.u8()
        minorMax = try reader.u8()
        try reader.require(minorMin <= minorMax)
        guard minorMin == 0 else { throw reader.failure(.versionUnsupported) }
        netType = try reader.u8()
        try reader.zero(1)
        capabilities = Capabilities(rawValue: try reader.u64())
        deviceID = try reader.id16()
        instance = try reader.u64()
        epoch = try reader.u64()
        seq = try reader.u64()
        try reader.require(epoch != 0 || seq == 0)
        check = try reader.u32()
        try reader.require(epoch != 0 || check == 0)
        maxFrame = try reader.u32()
        try reader.require(
            maxFrame >= WireLimits.frameBytesFloor,
            limit: WireLimits.frameBytesFloor
        )
        etag = try reader.u64()
        maxPayload = try reader.u32()
        try reader.require(
            maxPayload >= WireLimits.payloadBytesFloor,
            limit: WireLimits.payloadBytesFloor
        )
        windowBytes = try reader.u32()
        try reader.require(
            windowBytes >= WireLimits.windowBytesFloor,
            limit: WireLimits.windowBytesFloor
        )
        windowMessages = try reader.u16()
        keepaliveMin = try reader.u16()
        keepaliveMax = try reader.u16()
        try reader.require(keepaliveMin <= keepaliveMax && keepaliveMax > 0)
        guard let method = AuthMethod(rawValue: try reader.u8()) else {
            throw reader.failure(.badField)
        }
        authMethod = method
        try reader.zero(1)
        hubRange = try reader.str8(max: WireLimits.hubNameBytesMax)
        authRange = try reader.bytes16(max: WireLimits.authBytesMax)
        try reader.finish(header)
        self.body = body
    }

    /// Name of the hub, UTF-8, possibly empty.
    package var hub: Span<UInt8> { @_lifetime(copy self) get { body.extracting(hubRange) } }

    /// Token or proof, by the method; empty for a client certificate.
    package var auth: Span<UInt8> { @_lifetime(copy self) get { body.extracting(authRange) } }

    /// The part of the body that the proof covers: all in front of the length of `auth`.
    package var authenticatedPrefix: Range<Int> { 0..<hubRange.upperBound }

    /// The bytes of `authenticatedPrefix`.
    package var authenticated: Span<UInt8> {
        @_lifetime(copy self) get { body.extracting(authenticatedPrefix) }
    }
}
