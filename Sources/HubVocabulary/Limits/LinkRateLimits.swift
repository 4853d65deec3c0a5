import HubWire

/// Rates of frames, bytes and new identities.
package struct LinkRateLimits: Sendable {
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

    /// The defaults.
    package init() {}
}
