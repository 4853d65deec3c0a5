package import NIOCore

/// How long one HTTP connection may stay in each of its states.
///
///     opening ──first bytes──▶ asked ──answer──▶ idle ──bytes──▶ asked
///        └────────────────────────┴───deadline────┴──────────────▶ closed
package struct ConnectionTimes: Sendable {
    /// From the connection's beginning to the first bytes of its first request.
    package var opening: TimeAmount
    /// Whether the end of the TLS handshake ends `opening` too; the connection is idle then.
    package var opensWithHandshake = false
    /// Without a byte of either side, while nothing is asked for.
    package var silence: TimeAmount
    /// From the first byte of a request to the first of its answer.
    package var request: TimeAmount
    /// Without a byte from a peer that has asked for something; nil leaves it to `request`.
    package var pause: TimeAmount?
    /// For which the peer may take nothing of an answer.
    package var unread: TimeAmount
    /// For the end of the connection when the server stops; nil leaves it to HTTP.
    package var closing: TimeAmount?
    /// For the rest of a refused body, so that its sender can read why.
    package var linger: TimeAmount = .seconds(2)

    /// Times that leave the end of the handshake and of the server to others.
    package init(
        opening: TimeAmount,
        silence: TimeAmount,
        request: TimeAmount,
        unread: TimeAmount
    ) {
        self.opening = opening
        self.silence = silence
        self.request = request
        self.unread = unread
    }
}
