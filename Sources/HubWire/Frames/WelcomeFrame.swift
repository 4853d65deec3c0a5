/// WELCOME, which accepts a session.
///
///     0 minor u8 | 1 resume u8 | 2 zero u8 | 3 dict u8 (0) | 4 lost u32 | 8 capabilities u64
///     16 device_id id16 | 32 epoch u64 | 40 seq u64 | 48 check u32 | 52 max_frame u32
///     56 server_time_ms u64 | 64 etag u64 | 72 auth_expires u32 | 76 retention_s u32
///     80 keepalive u16 | 82 grace u16 | 84 max_regs u16 | 86 max_tags u16
///     88 max_tag_len u8 | 89 ack_delay u8 | 90 max_receipts u16 | 92 return_max_ms u32
///     96 return_spread_ms u32 | 100 dict_id u64 (0) | 108 handle[32] | 140 device_key bytes8
///     trace str8                                                   big-endian, Protocol §4.2
package struct WelcomeFrame: Equatable, Sendable {
    /// The limits that the hub sets for this device.
    package struct Limits: Equatable, Sendable {
        /// Largest body that the hub takes, in bytes.
        package var frameBytes = UInt32(WireLimits.frameBytesMaxFromDevice)
        /// Slots that the device may use.
        package var registrations = UInt16(WireLimits.slotsPerDeviceMax)
        /// Tags of one slot.
        package var tags = UInt16(WireLimits.tagsPerSlotMax)
        /// Bytes of one tag.
        package var tagBytes = UInt8(WireLimits.tagBytesMax)
        /// Records of one RECEIPTS.
        package var receipts = UInt16(WireLimits.receiptsMax)
        /// How the device comes back when the connection is lost.
        package var returning = ReturnPace.untold
    }

    /// Whether the hub goes on from the device's position, and otherwise why not.
    package var resume: ResumeOutcome
    /// Entries lost; 0xFFFFFFFF is unknown, 0 unless the outcome is GAP or RESET.
    package var lost: UInt32 = 0
    /// The features that both sides may use in this session.
    package var capabilities: Capabilities = []
    /// The device's identity, new or confirmed.
    package var deviceID: ID16
    /// The position that the hub continues after; its epoch is never 0.
    package var position: Position
    /// The limits that the hub sets for this device.
    package var limits = Limits()
    /// The hub's clock in milliseconds since 1970.
    package var serverTime: UInt64 = 0
    /// Registration state of the device's own slots.
    package var etag: UInt64 = 0
    /// Seconds until the credentials expire; 0 means that they do not.
    package var authExpires: UInt32 = 0
    /// Seconds for which the hub keeps what the device misses.
    package var retention: UInt32 = 0
    /// Keep-alive interval in seconds until the first PING says otherwise.
    package var keepalive = UInt16(WireLimits.keepaliveSecondsStart)
    /// Slack in seconds.
    package var grace = UInt16(WireLimits.graceSecondsDefault)
    /// Longest delay of an ACK, in units of 10 ms.
    package var ackDelay = UInt8(WireLimits.ackDelayMillisecondsDefault / 10)
    /// The push handle, 32 bytes; a secret.
    package var handle: [UInt8]
    /// The device key, 32 bytes, or empty where the device has it already; a secret.
    package var deviceKey: [UInt8] = []
    /// An opaque text for support; cut at `traceBytesMax` bytes.
    package var trace: String = ""

    /// An outcome at a position for a device; the rest has the protocol's defaults.
    ///
    /// `handle` has 32 bytes and the position's epoch is not 0.
    package init(
        resume: ResumeOutcome,
        deviceID: ID16,
        position: Position,
        handle: [UInt8]
    ) {
        self.resume = resume
        self.deviceID = deviceID
        self.position = position
        self.handle = handle
    }

    /// Refuses anything that is not exactly one WELCOME body of minor version 0.
    package init(decoding body: Span<UInt8>, header: FrameHeader) throws(WireError) {
        var reader = WireReader(body, of: .welcome)
        guard try reader.u8() == 0 else { throw reader.failure(.versionUnsupported) }
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
        position = try Position(&reader)
        try reader.require(position.epoch != 0)
        limits.frameBytes = try reader.u32()
        try reader.require(
            limits.frameBytes >= WireLimits.frameBytesFloor,
            limit: WireLimits.frameBytesFloor
        )
        serverTime = try reader.u64()
        etag = try reader.u64()
        authExpires = try reader.u32()
        retention = try reader.u32()
        keepalive = try reader.u16()
        grace = try reader.u16()
        limits.registrations = try reader.u16()
        limits.tags = try reader.u16()
        limits.tagBytes = try reader.u8()
        ackDelay = try reader.u8()
        limits.receipts = try reader.u16()
        limits.returning = try ReturnPace(&reader)
        try reader.zero(8)
        handle = reader.copy(try reader.run(WireLimits.handleBytes))
        let key = try reader.bytes8(max: WireLimits.deviceKeyBytes)
        try reader.require(key.isEmpty || key.count == WireLimits.deviceKeyBytes)
        deviceKey = reader.copy(key)
        trace = try reader.text8(max: WireLimits.traceBytesMax)
        try reader.finish(header)
    }

    /// Appends the frame; traps on a handle or key of another size and on ids that must not be 0.
    package func encode(into bytes: inout [UInt8]) {
        precondition(handle.count == WireLimits.handleBytes, "handle of \(handle.count) bytes")
        precondition(
            deviceKey.isEmpty || deviceKey.count == WireLimits.deviceKeyBytes,
            "device key of \(deviceKey.count) bytes"
        )
        precondition(position.epoch != 0 && deviceID != .zero, "WELCOME without epoch or device id")
        precondition(lost == 0 || resume == .gap || resume == .reset, "lost without a loss")
        let frame = WireWriter(.welcome, into: &bytes)
        bytes.append(0)
        bytes.append(resume.rawValue)
        bytes.appendInteger(UInt16(0))
        bytes.appendInteger(lost)
        bytes.appendInteger(capabilities.rawValue)
        deviceID.append(to: &bytes)
        position.append(to: &bytes)
        bytes.appendInteger(limits.frameBytes)
        bytes.appendInteger(serverTime)
        bytes.appendInteger(etag)
        bytes.appendInteger(authExpires)
        bytes.appendInteger(retention)
        bytes.appendInteger(keepalive)
        bytes.appendInteger(grace)
        bytes.appendInteger(limits.registrations)
        bytes.appendInteger(limits.tags)
        bytes.append(limits.tagBytes)
        bytes.append(ackDelay)
        bytes.appendInteger(limits.receipts)
        limits.returning.append(to: &bytes)
        bytes.appendInteger(UInt64(0))
        bytes.append(contentsOf: handle)
        bytes.appendBytes8(deviceKey)
        bytes.appendDetail(trace, max: WireLimits.traceBytesMax)
        frame.finish(&bytes)
    }
}
