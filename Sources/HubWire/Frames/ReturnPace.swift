/// How devices come back after a lost connection, as WELCOME tells it.
///
/// Source: Protocol [C-4], [C-5].
package struct ReturnPace: Equatable, Sendable {
    /// Milliseconds over which the devices of the hub come back.
    package var spread: UInt32
    /// Milliseconds that no delay of the backoff exceeds.
    package var longest: UInt32

    /// The pace of a device that no WELCOME told another.
    package static let untold = ReturnPace(
        spread: UInt32(WireLimits.returnSpreadSecondsDefault) * 1_000,
        longest: UInt32(WireLimits.reconnectSecondsMax) * 1_000
    )

    /// A spread and the longest delay, in milliseconds.
    package init(spread: UInt32, longest: UInt32) {
        self.spread = spread
        self.longest = longest
    }

    /// Reads both and checks their bounds.
    init(_ reader: inout WireReader) throws(WireError) {
        longest = try reader.u32()
        let least = WireLimits.returnSecondsMin * 1_000
        let most = WireLimits.returnSecondsMax * 1_000
        try reader.require(longest >= least, limit: least)
        try reader.require(longest <= most, limit: most)
        spread = try reader.u32()
        try reader.require(spread <= longest)
    }

    func append(to bytes: inout [UInt8]) {
        bytes.appendInteger(longest)
        bytes.appendInteger(spread)
    }
}
