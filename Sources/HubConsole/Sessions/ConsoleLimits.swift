/// The limits of the console.
package struct ConsoleLimits: Sendable {
    /// Codes of one access rule that wait to be used.
    package var codesMax = 16
    /// Seconds in which a code to sign in works.
    package var codeSeconds: UInt64 = 300
    /// Seconds in which a confirmation works.
    package var confirmationSeconds: UInt64 = 120
    /// Wrong codes that one network may try in a minute.
    package var triesPerMinute = 10
    /// Wrong codes that all networks together may try in a minute.
    package var triesPerMinuteOfAll = 60
    /// Sessions of one access rule; a further one ends the one that was idle longest.
    package var sessionsMax = 64
    /// Sessions of one rule and name.
    package var sessionsPerNameMax = 8
    /// Characters of a name.
    package var nameMax = 64
    /// Seconds without a request after which a session that may change something ends.
    package var idleSeconds: UInt64 = 1_800
    /// Seconds for which a confirmation counts.
    package var freshSeconds: UInt64 = 600
    /// Wrong confirmations that end a session.
    package var wrongConfirmationsMax = 5
    /// Requests of one session in a second.
    package var requestsPerSecond: UInt32 = 50
    /// Requests of one session that are not answered yet; searches wait for the hub's writer.
    package var openRequestsMax = 8
    /// Ways in for relays of one access rule; a further one closes the oldest.
    package var relaysMax = 64
    /// The limits of a form.
    package var form = Form()
    /// Rows of a page.
    package var rowsPerPage = 100

    /// The limits of a form.
    package struct Form: Sendable {
        /// Bytes of a form.
        package var bytesMax = 131_072
        /// Fields of a form.
        package var fieldsMax = 64
    }

    /// The defaults.
    package init() {}
}
