import HubWire

/// Limits of devices, of what is kept for them, and of their absence.
package struct DeviceLimits: Equatable, Sendable {
    /// REGISTER, UNREGISTER and TAGS of one device, over all its connections.
    ///
    /// Source: Protocol [S-6].
    package var deviceChanges = RateLimit(
        perSecond: WireLimits.changesPerSecond,
        burst: WireLimits.changesBurst
    )
    /// Notifications kept for one absence of a device.
    ///
    /// Source: the promise of the rules.
    package var deviceCap = 10_000
    /// The largest cap that an operator may set.
    package var deviceCapMax = 100_000
    /// Days without a sign of life after which a device and its registrations go.
    ///
    /// Source: rules C.2.
    package var deviceIdleDays: UInt64 = 90
    /// Hours after the hub's start before the first device goes: those that could not connect while
    /// it was off come back within minutes.
    package var deviceIdleGraceHours: UInt64 = 24
    /// Devices looked at in one step of the writer.
    package var idleDevicesPerStep = 32
    /// Records of the log, at most, that are read again to count what a device had stored before the
    /// hub heard of it.
    ///
    /// Source: rules B.4.
    package var recountRecordsMax: UInt64 = 65_536

    /// The defaults.
    package init() {}
}
