import HubWire

/// Limits and timers of device sessions that an operator or a test may change.
///
/// Where the protocol names a number the default is that number; the others are named in
/// Protocol/README.md too. Durations are in the unit of the name.
package struct SessionLimits: Sendable {
    /// From the finished TLS handshake to a complete HELLO.
    package var helloMilliseconds = UInt64(WireLimits.helloSecondsMax) * 1_000
    /// The hub's own answer to HELLO may take this long.
    package var attachMilliseconds: UInt64 = 10_000
    /// A started frame must be complete after this.
    package var frameMilliseconds = UInt64(WireLimits.frameSecondsMax) * 1_000
    /// The oldest unacknowledged entry may be this old.
    package var acknowledgementMilliseconds = UInt64(WireLimits.ackSecondsMax) * 1_000
    /// After GOAWAY acknowledgements are read for this long.
    package var drainMilliseconds = UInt64(WireLimits.drainReadSeconds) * 1_000
    /// Suggested to the device in WELCOME, in units of 10 ms.
    package var acknowledgementDelay = UInt8(WireLimits.ackDelayMillisecondsDefault / 10)
    /// One WELCOME in so many is followed by a frame of an unused type; 0 for none.
    ///
    /// Source: Protocol V-4.
    package var unusedFrameOneIn: UInt64 = 16
    /// Starting keep-alive interval in WELCOME.
    package var keepAliveSeconds = UInt16(WireLimits.keepaliveSecondsStart)
    /// Slack on top of the keep-alive promise.
    package var graceSeconds = UInt16(WireLimits.graceSecondsDefault)
    /// Frames a device may send in a second, sustained.
    package var framesPerSecond = UInt32(WireLimits.framesPerSecond)
    /// Frames a device may send at once.
    package var framesBurst = UInt32(WireLimits.framesBurst)
    /// Bytes of frames in a second, sustained.
    package var bytesPerSecond = UInt32(WireLimits.bytesPerSecond)
    /// Bytes of frames at once.
    package var bytesBurst = UInt32(WireLimits.bytesBurst)
    /// Frames over the rate before the connection is closed.
    package var refusalsMax = WireLimits.refusedFramesMax
    /// New identities that one address may make in a second, and at once; loopback is exempt.
    package var identitiesPerSecond = UInt32(WireLimits.identitiesPerSecond)
    /// New identities that one address may make at once.
    package var identitiesBurst = UInt32(WireLimits.identitiesBurst)
    /// Addresses remembered for that; of IPv6 ones networks of 64 bits.
    package var identityAddressesMax = 4_096
    /// Messages in flight even when the device offers a larger window.
    package var windowMessagesMax: UInt32 = 1_024
    /// Bytes in flight even when the device offers a larger window.
    package var windowBytesMax = UInt32(WireLimits.windowBytesDefault)
    /// Control bytes that may wait for a connection that does not read.
    package var controlBytesMax = 65_536
    /// Records asked for in one read of the log.
    package var pageRecords = 256
    /// Reads of the log asked for in one turn, for all sessions; the others wait for the next turn.
    package var pagesPerTurn = 32
    /// Newest records of a hub that stay in memory.
    package var recentRecordsMax = 65_536
    /// Bytes of the bodies of the newest records that stay in memory.
    package var recentRecordBytesMax = 64 << 20
    /// Older records that were read from the log and are shared by the devices that read on there.
    package var coldRecordsMax = 4_096
    /// Bytes of the bodies of these.
    package var coldRecordBytesMax = 16 << 20
    /// Headers of older records that are shared in the same way while missed sets are worked out.
    package var coldHeadersMax = 65_536
    /// Matches of missed sets that are remembered from one page to the next, of all devices of a hub
    /// together; about 64 bytes each, and each set counts as 32 more.
    package var missedMatchesMax = 1 << 20
    /// Bytes of parcels that each of these records keeps; what does not fit is made again.
    package var coldParcelBytesMax = 8_192
    /// Deliveries listed in one turn before further feed items wait for the next.
    package var deliveriesPerTurn = 1 << 20
    /// Acknowledgements and what was counted are reported to the directory this often.
    package var cursorMilliseconds: UInt64 = 500
    /// Receipts after which a shard reports at once.
    package var receiptsPerReport = 4_096
    /// Matches that are not sent, of all devices, after which a shard reports at once.
    package var unsentPerReport = 65_536

    /// The defaults.
    package init() {}
}
