/// The fields of HELLO that a device chooses, apart from its credentials.
package struct HelloMessage: Equatable, Sendable {
    /// Lowest minor version that the device accepts; 0 here, since others are refused.
    package var minorMin: UInt8 = 0
    /// Highest minor version that the device accepts.
    package var minorMax: UInt8 = 0
    /// 0 unknown, 1 ethernet, 2 wifi, 3 cellular, 4 loopback, 5 very constrained; others: unknown.
    package var netType: UInt8 = 0
    /// The device's features, unknown bits included.
    package var capabilities: Capabilities = .known
    /// Zero asks for a new identity.
    package var deviceID: ID16 = .zero
    /// Random for each start of the device's process.
    package var instance: UInt64 = 0
    /// How far the device has stored everything.
    package var position = Position.none
    /// Largest body that the device takes, at least `frameBytesFloor`.
    package var maxFrame = UInt32(WireLimits.frameBytesMaxToDevice)
    /// Registration state that the device believes in; 0 means none.
    package var etag: UInt64 = 0
    /// Largest payload that the device takes, at least `payloadBytesFloor`.
    package var maxPayload = UInt32(WireLimits.payloadBytesMax)
    /// Window in bytes, at least `windowBytesFloor`.
    package var windowBytes = UInt32(WireLimits.windowBytesDefault)
    /// Window in entries; 0 pauses.
    package var windowMessages = UInt16(WireLimits.windowMessagesDefault)
    /// Shortest keep-alive interval that the device can do, in seconds.
    package var keepaliveMin: UInt16 = 15
    /// Longest keep-alive interval that the device can do, in seconds; not below the shortest.
    package var keepaliveMax = UInt16(WireLimits.keepaliveSecondsMax)
    /// How the device authenticates.
    package var authMethod: AuthMethod = .token
    /// Name of the hub, possibly empty, at most `hubNameBytesMax` bytes.
    package var hub: String

    /// A first HELLO to `hub`, with the limits of our device; the rest is set as properties.
    package init(hub: String) { self.hub = hub }

    /// Reads a body up to its credentials.
    init(_ reader: inout WireReader) throws(WireError) {
        guard try reader.u32() == HelloFrame.magic else { throw reader.failure(.badMagic) }
        minorMin = try reader.u8()
        minorMax = try reader.u8()
        try reader.require(minorMin <= minorMax)
        guard minorMin == 0 else { throw reader.failure(.versionUnsupported) }
        netType = try reader.u8()
        try reader.zero(1)
        capabilities = Capabilities(rawValue: try reader.u64())
        deviceID = try reader.id16()
        instance = try reader.u64()
        position = try Position(&reader)
        try reader.require(position.epoch != 0 || position == .none)
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
        hub = try reader.text8(max: WireLimits.hubNameBytesMax)
    }

    /// Appends the whole frame, for credentials that do not depend on it.
    ///
    /// - Throws: BAD_FIELD or BAD_UTF8 when `hub` or `auth` does not fit; nothing is appended then.
    package func encode(auth: [UInt8], into bytes: inout [UInt8]) throws(WireError) {
        let writer = try HelloWriter(self, into: &bytes)
        try writer.finish(auth: auth, into: &bytes)
    }
}
