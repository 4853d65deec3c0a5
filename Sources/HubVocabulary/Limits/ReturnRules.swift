package import HubWire

/// The operator's word on devices that come back after the hub was away.
///
/// Source: Protocol [C-5].
package struct ReturnRules: Sendable {
    /// Devices that the server takes back in a second.
    package var perSecond = WireLimits.returnRateDefault
    /// Seconds that a device stays away at most while it looks for its hub.
    package var secondsMax = WireLimits.reconnectSecondsMax

    private static let spreadMillisecondsLeast = 500
    private static let longestMillisecondsLeast = 2_000

    /// The defaults.
    package init() {}

    /// The pace at which so many devices come back.
    package func pace(devices: Int) -> ReturnPace {
        let most = secondsMax * 1_000
        // More devices than a day has milliseconds change nothing any more.
        let all = min(devices, 86_400_000) * 1_000 / max(1, perSecond)
        let spread = min(max(all, Self.spreadMillisecondsLeast), most)
        let longest = min(max(2 * spread, Self.longestMillisecondsLeast), most)
        return ReturnPace(spread: UInt32(spread), longest: UInt32(longest))
    }
}
