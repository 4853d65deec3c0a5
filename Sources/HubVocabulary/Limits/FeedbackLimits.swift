/// Limits of the journal of departures, and of the container of feedback.
package struct FeedbackLimits: Equatable, Sendable {
    /// Seconds for which it is known that a registration ended by itself: 10 days.
    ///
    /// Source: REST reference §12.
    package var departuresKeptSeconds: UInt64 = 864_000
    /// Departures that a hub remembers; the oldest go first.
    package var departuresMax: UInt64 = 250_000
    /// Departures of one blob of the container.
    package var departuresPerPart: UInt64 = 1_000
    /// Departures that one question reads: a few milliseconds of the hub's writer.
    package var departuresPerAnswer = 250
    /// Blobs that one question finds.
    package var departurePartsPerAnswer = 64
    /// Blobs of one page of the container's list.
    package var pageBlobsMax = 32
    /// Seconds for which a link into the feedback holds: 5 days.
    ///
    /// Source: REST reference §12.
    package var feedbackLinkSeconds: UInt64 = 432_000

    /// The defaults.
    package init() {}
}
