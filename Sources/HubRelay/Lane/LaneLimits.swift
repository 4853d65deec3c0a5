/// The lane's limits, which bound its memory whatever waits in the log.
package struct LaneLimits: Sendable {
    /// The limits of production.
    package static let standard = LaneLimits()

    /// Records of many registrations that are open at once; a later one waits in the log.
    package var largeRecordsMax = 64
    /// Records of few registrations that are open at once.
    package var smallRecordsMax = 1_024
    /// Registrations of all small records together.
    package var smallMatchesMax = 65_536
    /// Registrations of a small record at most.
    package var matchesOfSmallMax = 1_000
    /// Requests in flight at most.
    package var requestsMax = 1_000
    /// Requests in flight at most at the beginning; with each 50 answers one more.
    package var requestsFirst = 1_000
    /// Numbers of one record that are done out of order; then nothing overtakes any more.
    package var outOfOrderMax = 65_536
    /// Notifications that wait by themselves for their device.
    package var deferredMax = 100_000
    /// Attempts of one notification for one device.
    package var attemptsMax: UInt8 = 8
    /// Equal refusals of one record's content in a row until the lane gives up the rest.
    package var equalRefusalsMax = 100
    /// Milliseconds for which a lane that ends waits for answers.
    package var endMilliseconds: UInt64 = 10_000
    /// Failures that one checkpoint names; others are only counted.
    package var failuresOfCheckpointMax = 10_000

    /// Makes the limits of production.
    package init() {}
}
