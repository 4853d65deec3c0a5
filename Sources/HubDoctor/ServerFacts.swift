package import HubVocabulary

/// A running server as its rows tell it.
package struct ServerFacts: Sendable {
    /// Its release.
    package var version: String
    /// When it began to serve.
    package var started: Timestamp
    /// Its clock less the clock here, in seconds.
    package var clockSeconds = 0
    /// Reasons why it accepts no sends.
    package var problems: [String] = []
    /// Its hubs.
    package var hubs: [HubFacts] = []
    /// REST connections that were refused because their address had too many.
    package var refusedConnections = 0
    /// When a scraper last read the numbers; nil when none did since the start.
    package var numbersRead: Timestamp?

    /// A server that is well.
    package init(version: String, started: Timestamp) {
        self.version = version
        self.started = started
    }
}
