/// How often something may happen: sustained, and at once.
package struct RateLimit: Equatable, Sendable {
    /// In a second, for as long as it lasts.
    package var perSecond: UInt32
    /// At once, after a pause.
    package var burst: UInt32

    /// A limit of its parts.
    package init(perSecond: Int, burst: Int) {
        self.perSecond = UInt32(clamping: perSecond)
        self.burst = UInt32(clamping: burst)
    }
}
