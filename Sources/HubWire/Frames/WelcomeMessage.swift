/// What the hub puts into WELCOME; fields as in `WelcomeFrame`.
package struct WelcomeMessage: Equatable, Sendable {
    /// What became of the device's position.
    package var resume: ResumeOutcome
    /// Entries lost; 0xFFFFFFFF is unknown, 0 unless the outcome is GAP or RESET.
    package var lost: UInt32 = 0
    /// What may be used in this session.
    package var capabilities: Capabilities = []
    /// The device's identity, new or confirmed.
    package var deviceID: ID16
    /// Epoch of the position that the hub continues after; never 0.
    package var epoch: UInt64
    /// Sequence number that the hub continues after.
    package var seq: UInt64
    /// Check of that position.
    package var check: UInt32
    /// Largest body that the hub takes, in bytes.
    package var maxFrame = UInt32(WireLimits.frameBytesMaxFromDevice)
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
    /// Slots that the device may use.
    package var maxRegistrations = UInt16(WireLimits.slotsPerDeviceMax)
    /// Tags of one slot.
    package var maxTags = UInt16(WireLimits.tagsPerSlotMax)
    /// Bytes of one tag.
    package var maxTagLength = UInt8(WireLimits.tagBytesMax)
    /// Longest delay of an ACK, in units of 10 ms.
    package var ackDelay = UInt8(WireLimits.ackDelayMillisecondsDefault / 10)
    /// Records of one RECEIPTS.
    package var maxReceipts = UInt16(WireLimits.receiptsMax)
    /// The push handle, 32 bytes; a secret.
    package var handle: [UInt8]
    /// The device key, 32 bytes, or empty; a secret.
    package var deviceKey: [UInt8] = []
    /// An opaque text for support; cut at `traceBytesMax` bytes.
    package var trace: String = ""

    /// An outcome at a position for a device; the rest has the protocol's defaults.
    ///
    /// `handle` has 32 bytes and `epoch` is not 0.
    package init(
        resume: ResumeOutcome,
        deviceID: ID16,
        epoch: UInt64,
        seq: UInt64,
        check: UInt32,
        handle: [UInt8]
    ) {
        self.resume = resume
        self.deviceID = deviceID
        self.epoch = epoch
        self.seq = seq
        self.check = check
        self.handle = handle
    }

    /// The fields of a received WELCOME.
    package init(_ frame: borrowing WelcomeFrame) {
        resume = frame.resume
        lost = frame.lost
        capabilities = frame.capabilities
        deviceID = frame.deviceID
        epoch = frame.epoch
        seq = frame.seq
        check = frame.check
        maxFrame = frame.maxFrame
        serverTime = frame.serverTime
        etag = frame.etag
        authExpires = frame.authExpires
        retention = frame.retention
        keepalive = frame.keepalive
        grace = frame.grace
        maxRegistrations = frame.maxRegistrations
        maxTags = frame.maxTags
        maxTagLength = frame.maxTagLength
        ackDelay = frame.ackDelay
        maxReceipts = frame.maxReceipts
        handle = [UInt8](copying: frame.handle)
        deviceKey = [UInt8](copying: frame.deviceKey)
        trace = String(copying: frame.trace)
    }

    /// Appends the frame; traps on a handle or key of another size and on ids that must not be 0.
    package func encode(into bytes: inout [UInt8]) {
        precondition(handle.count == WireLimits.handleBytes, "handle of \(handle.count) bytes")
        precondition(
            deviceKey.isEmpty || deviceKey.count == WireLimits.deviceKeyBytes,
            "device key of \(deviceKey.count) bytes"
        )
        precondition(epoch != 0 && deviceID != .zero, "WELCOME without epoch or device id")
        precondition(lost == 0 || resume == .gap || resume == .reset, "lost without a loss")
        let frame = WireWriter(.welcome, into: &bytes)
        bytes.append(0)
        bytes.append(resume.rawValue)
        bytes.appendInteger(UInt16(0))
        bytes.appendInteger(lost)
        bytes.appendInteger(capabilities.rawValue)
        deviceID.append(to: &bytes)
        bytes.appendInteger(epoch)
        bytes.appendInteger(seq)
        bytes.appendInteger(check)
        bytes.appendInteger(maxFrame)
        bytes.appendInteger(serverTime)
        bytes.appendInteger(etag)
        bytes.appendInteger(authExpires)
        bytes.appendInteger(retention)
        bytes.appendInteger(keepalive)
        bytes.appendInteger(grace)
        bytes.appendInteger(maxRegistrations)
        bytes.appendInteger(maxTags)
        bytes.append(maxTagLength)
        bytes.append(ackDelay)
        bytes.appendInteger(maxReceipts)
        bytes.appendInteger(UInt64(0))
        bytes.append(contentsOf: handle)
        bytes.appendBytes8(deviceKey)
        bytes.appendDetail(trace, max: WireLimits.traceBytesMax)
        frame.finish(&bytes)
    }
}
