package import HubHTTP
import NIOCore

/// The cost of one REST connection at most, and how long it may be silent.
package struct RESTLimits: Sendable {
    /// Connections at once; more wait in the kernel's queue.
    package var connections = 4_096
    /// Connections of one address at once (IPv6: of one /64); one more is closed before TLS.
    ///
    /// Source: rules C.6.
    package var connectionsPerAddress = 512
    /// Connections at once that take nothing of their answers; the one that waits longest gives way.
    package var blockedConnections = 256
    /// Bytes of answers that wait for their clients, of all connections.
    package var unreadBytes = 33_554_432
    /// The memory in which one connection's answers wait.
    package var buffers = AnswerBuffers()
    /// Streams of HTTP/2 at once, on all connections, whose answers are not taken yet.
    package var streams = 1_024
    /// Whether connections from this machine count towards the limit per address.
    package var limitsLoopback = false
    /// Bytes of one header field.
    package var headerFieldBytes = 16_384
    /// Bytes of all header fields of a request.
    package var headerListBytes = 32_768
    /// Header fields of a request.
    package var headerFields = 128
    /// Seconds for the TLS handshake.
    package var handshakeSeconds = 10
    /// Seconds without a byte from the peer; also between requests.
    package var silentSeconds = 60
    /// Seconds from the first byte of a request to an answer; a slow body has `silentSeconds` more.
    package var answerSeconds = 60
    /// Seconds a connection may last; HTTP/2 clients are told to come back.
    package var connectionSeconds = 3_600
    /// Seconds a connection has to end after it was asked to; TLS then waits five more for a peer
    /// that does not confirm.
    package var closeSeconds = 3
    /// Seconds after which an orderly end is given up.
    package var shutdownSeconds = 20
    /// Checked tokens that are remembered.
    package static let tokensKept = 4_096

    /// The defaults.
    package init() {}

    /// The deadlines of each connection; HTTP ends idle ones in order before these do.
    var times: ConnectionTimes {
        let silence = TimeAmount.seconds(Int64(silentSeconds))
        var times = ConnectionTimes(
            opening: .seconds(Int64(handshakeSeconds)),
            silence: silence,
            request: .seconds(Int64(answerSeconds)) + silence,
            unread: silence
        )
        times.opensWithHandshake = true
        times.pause = silence * 2
        times.closing = .seconds(Int64(closeSeconds))
        return times
    }
}
