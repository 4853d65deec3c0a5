/// Both clocks, read once per turn of an event loop and given to the core.
package struct Now: Sendable {
    /// The monotonic clock, for deadlines.
    package var instant: Instant
    /// The wall clock, for ids, tokens and expiry.
    package var time: Timestamp

    /// Makes a reading.
    package init(instant: Instant, time: Timestamp) {
        self.instant = instant
        self.time = time
    }
}
