import HubWire

/// Timers of a connection and its session.
package struct TimerLimits: Sendable {
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
    /// Starting keep-alive interval in WELCOME.
    package var keepAliveSeconds = UInt16(WireLimits.keepaliveSecondsStart)
    /// Slack on top of the keep-alive promise.
    package var graceSeconds = UInt16(WireLimits.graceSecondsDefault)
    /// Acknowledgements and what was counted are reported to the directory this often.
    package var cursorMilliseconds: UInt64 = 500

    /// The defaults.
    package init() {}
}
