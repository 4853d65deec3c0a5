/// How much of the past a server keeps in memory.
package enum HistoryLimits {
    /// Events of a hub.
    package static let events = 4_096
    /// Events of one answer.
    package static let eventsPerPage = 1_000
    /// Events of devices that come and go, of a hub on a shard in a second; others are counted.
    package static let deviceEventsPerSecond = 10
    /// Test sends of a hub whose steps are known.
    package static let tests = 64
    /// Bytes of a tag expression that an event shows.
    package static let expressionBytes = 256
    /// Requests of a hub that wait for an event at once; others are answered at once.
    package static let waitingPerHub = 64
    /// Seconds that a request may wait for an event.
    package static let waitSeconds = 20
    /// Seconds between two readings of the numbers, and readings that are kept: an hour.
    package static let fine = (seconds: 5, slots: 720)
    /// The same of those that are kept for a day.
    package static let coarse = (seconds: 60, slots: 1_440)
}
