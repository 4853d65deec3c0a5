import HubWire

/// Limits and timers of device sessions that an operator or a test may change.
///
/// Where the protocol names a number the default is that number; the others are named in
/// Protocol/README.md too. Durations are in the unit of the name.
package struct SessionLimits: Sendable {
    /// Timers of a connection and its session.
    package var timers = TimerLimits()
    /// Rates of frames, bytes and new identities.
    package var rates = LinkRateLimits()
    /// Limits of reading the log for devices that were away.
    package var catchUp = CatchUpLimits()
    /// One WELCOME in so many is followed by a frame of an unused type; 0 for none.
    ///
    /// Source: Protocol V-4.
    package var unusedFrameOneIn: UInt64 = 16
    /// How fast devices come back.
    package var returning = ReturnRules()
    /// Messages in flight even when the device offers a larger window.
    package var windowMessagesMax = UInt32(WireLimits.windowMessagesMax)
    /// Bytes in flight even when the device offers a larger window.
    package var windowBytesMax = UInt32(WireLimits.windowBytesMax)
    /// Control bytes that may wait for a connection that does not read.
    package var controlBytesMax = 65_536
    /// Deliveries listed in one turn before further feed items wait for the next.
    package var deliveriesPerTurn = 1 << 20
    /// Receipts after which a shard reports at once.
    package var receiptsPerReport = 4_096
    /// Matches that are not sent, of all devices, after which a shard reports at once.
    package var unsentPerReport = 65_536
    /// Newest notifications of a hub whose deliveries a shard tells step by step: tests, and those
    /// of traced requests.
    package var followedNotificationsMax = 64
    /// Devices of each of them that a shard tells of.
    package var followedDevicesMax = 10

    /// The defaults.
    package init() {}
}
