/// How long a lead lasts without its node, in milliseconds.
package struct LeaseLimits: Hashable, Sendable {
    /// From a renewal to the end of the lease, by the database's clock.
    package var lease: UInt64 = 3_000
    /// So much earlier a node stops to believe in its lease: clocks do not go alike.
    package var margin: UInt64 = 200
    /// From one renewal to the next.
    package var renewal: UInt64 = 1_000
    /// From one look of a standby at the lead to the next.
    package var look: UInt64 = 300
    /// Until a request is repeated that was not answered.
    package var retry: UInt64 = 200

    /// The ordinary ones.
    package init() {}

    /// Those of a lease of so many seconds, which is renewed twice before it ends.
    package init(seconds: Int) {
        lease = UInt64(seconds) * 1_000
        renewal = lease / 3
    }
}
