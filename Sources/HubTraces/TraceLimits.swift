/// Limits of traces.
package enum TraceLimits {
    /// Spans that wait for the collector; more are dropped and counted.
    package static let spansWaiting = 2_048
    /// Spans of one request to the collector.
    package static let spansPerRequest = 512
    /// Newest notifications whose traced request is known to relays.
    package static let notifications = 256
    /// Requests to push services that each of these notifications shows.
    package static let relaysPerNotification = 8
    /// Seconds between two requests to the collector.
    package static let pauseSeconds = 1
    /// Seconds in which the collector has to answer.
    package static let answerSeconds: Int64 = 10
    /// Bytes of the collector's answer that are read.
    package static let answerBytes = 65_536
}
