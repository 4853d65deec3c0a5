/// What a device puts into HELLO, apart from its credentials; fields as in `HelloFrame`.
package struct HelloMessage: Equatable, Sendable {
    /// Lowest minor version that the device accepts; 0 here, since others are refused.
    package var minorMin: UInt8 = 0
    /// Highest minor version that the device accepts.
    package var minorMax: UInt8 = 0
    /// 0 unknown, 1 ethernet, 2 wifi, 3 cellular, 4 loopback, 5 very constrained; others: unknown.
    package var netType: UInt8 = 0
    /// What the device can do, unknown bits included.
    package var capabilities: Capabilities = .known
    /// Zero asks for a new identity.
    package var deviceID: ID16 = .zero
    /// Random for each start of the device's process.
    package var instance: UInt64 = 0
    /// Epoch of the device's position; 0 means that it has none.
    package var epoch: UInt64 = 0
    /// Highest sequence number that the device has stored completely.
    package var seq: UInt64 = 0
    /// Check of that position.
    package var check: UInt32 = 0
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
    /// Name of the hub, at most `hubNameBytesMax` bytes.
    package var hub: String

    /// A first HELLO to `hub`, with the limits of our device; the rest is set as properties.
    package init(hub: String) { self.hub = hub }

    /// The fields of a received HELLO.
    package init(_ frame: borrowing HelloFrame) {
        hub = String(copying: frame.hub)
        minorMin = frame.minorMin
        minorMax = frame.minorMax
        netType = frame.netType
        capabilities = frame.capabilities
        deviceID = frame.deviceID
        instance = frame.instance
        epoch = frame.epoch
        seq = frame.seq
        check = frame.check
        maxFrame = frame.maxFrame
        etag = frame.etag
        maxPayload = frame.maxPayload
        windowBytes = frame.windowBytes
        windowMessages = frame.windowMessages
        keepaliveMin = frame.keepaliveMin
        keepaliveMax = frame.keepaliveMax
        authMethod = frame.authMethod
    }

    /// Appends the whole frame, for credentials that do not depend on it.
    ///
    /// - Throws: BAD_FIELD or BAD_UTF8 when `hub` or `auth` does not fit; nothing is appended then.
    package func encode(auth: [UInt8], into bytes: inout [UInt8]) throws(WireError) {
        let writer = try HelloWriter(self, into: &bytes)
        try writer.finish(auth: auth, into: &bytes)
    }
}
