/// Names one connection of one reactor for as long as it lives, and never another one.
package struct ConnectionID: Hashable, Sendable {
    /// Dense and reused after `closed`: an index for the handler's own tables.
    package let slot: UInt32
    /// Tells the connections that used one slot apart.
    package let generation: UInt32

    /// A name made of its parts, for tests and tables of other layers.
    package init(slot: UInt32, generation: UInt32) {
        self.slot = slot
        self.generation = generation
    }
}

/// The time of a turn of the loop, read once at its start.
package struct TurnTime: Hashable, Sendable {
    /// Nanoseconds of CLOCK_MONOTONIC.
    package let nanoseconds: UInt64
    /// Milliseconds since 1970 of CLOCK_REALTIME; may jump.
    package let wallMilliseconds: UInt64

    /// A time from its two readings.
    package init(nanoseconds: UInt64, wallMilliseconds: UInt64) {
        self.nanoseconds = nanoseconds
        self.wallMilliseconds = wallMilliseconds
    }
}

/// What is known about the peer once the handshake is done.
package struct PeerInfo: Sendable, Equatable {
    /// Where the peer's end of the connection is.
    package let address: SocketAddress
    /// 32 bytes both ends share and nobody else knows, for proofs.
    ///
    /// Source: rules G.
    package let exporter: [UInt8]
    /// SHA-256 of the DER SubjectPublicKeyInfo of a verified peer certificate.
    ///
    /// Source: rules C.2.
    package let keyHash: [UInt8]?
    /// The agreed application protocol.
    package let applicationProtocol: String

    /// Whether the peer is on this machine.
    package var isLoopback: Bool { address.isLoopback }

    /// Peer facts from their parts; the transport makes them, tests may.
    package init(
        address: SocketAddress,
        exporter: [UInt8],
        keyHash: [UInt8]?,
        applicationProtocol: String
    ) {
        self.address = address
        self.exporter = exporter
        self.keyHash = keyHash
        self.applicationProtocol = applicationProtocol
    }
}

/// Why a connection that was open is gone.
package enum CloseCause: Hashable, Sendable {
    /// The handler asked for it.
    case local
    /// The peer said so (close_notify).
    case peer
    /// The stream ended or broke without a word; the number is the system's, 0 for a plain end.
    case lost(code: Int32)
    /// Output waited too long or grew too large because the peer does not read.
    case unreadOutput
    /// A record could not be opened, or the peer sent a fatal alert.
    case tlsFailure
    /// The reactor stopped before the connection had ended.
    case stopped
}

/// Why a TLS handshake failed; counted per case, told to the one who connected.
package enum HandshakeFailure: Int, CaseIterable, Sendable {
    /// The bytes are not TLS: plain HTTP, random bytes.
    case notTLS
    /// The peer does not speak TLS 1.3.
    case version
    /// The peer does not offer, or did not choose, our application protocol.
    case applicationProtocol
    /// No cipher suite, group or signature in common.
    case parameters
    /// A certificate was refused, here or by the peer.
    case certificate
    /// The peer sent another fatal alert.
    case peerAlert
    /// The deadline passed.
    case timeout
    /// The stream ended in the middle.
    case lost
    /// Anything else.
    case other
}

/// Why a connection of ours did not open.
package enum ConnectFailure: Hashable, Sendable {
    /// TCP could not connect; the number is the system's.
    case unreachable(code: Int32)
    /// The handshake failed; `verification` is OpenSSL's X509_V_ERR number, 0 if none.
    case handshake(HandshakeFailure, verification: Int)
    /// The reactor stopped, or the handler closed the connection, before it opened.
    case abandoned
}

/// What became of bytes given to a connection.
package enum WriteResult: Sendable, Equatable {
    /// All bytes leave with this turn.
    case accepted
    /// Nothing was taken; `writable` is called when there is room again.
    case blocked
    /// Nothing was taken; the connection is closed or closing.
    case closed
}

/// How a connection is to end.
package enum CloseMode: Sendable, Equatable {
    /// Sends what was written and close_notify first, within the close deadline.
    case afterFlush
    /// Drops what was not sent yet.
    case atOnce
}

/// The user of a reactor: told of everything, on the reactor's thread only.
///
/// A handler may call any method of `Connections` from any of these. No call is ever made from
/// within such a method, so a handler is never re-entered.
package protocol ConnectionHandler: AnyObject {
    /// What other threads send through the mailbox.
    associatedtype Message: Sendable

    /// The handshake is done, on either side.
    func opened(_ connection: ConnectionID, peer: PeerInfo, now: TurnTime)
    /// Bytes in order, several frames or a part of one; borrowed, valid during the call.
    func received(_ bytes: Span<UInt8>, from connection: ConnectionID, now: TurnTime)
    /// There is room again after a write was blocked or left bytes over.
    func writable(_ connection: ConnectionID, now: TurnTime)
    /// So few records are left for the connection's key that it should end; at most once.
    ///
    /// Nothing can be written to it any more once they are used up. Source: rules D.2.
    func keyWorn(_ connection: ConnectionID, now: TurnTime)
    /// Exactly once for each `opened`; no call follows for this name.
    func closed(_ connection: ConnectionID, cause: CloseCause, now: TurnTime)
    /// A connection begun with `connect` did not open; no call follows for this name.
    func connectFailed(_ connection: ConnectionID, cause: ConnectFailure, now: TurnTime)
    /// All messages that waited, in order, at most once a turn.
    func received(_ batch: [Message], now: TurnTime)
    /// After all events of the turn: what is written here leaves with them.
    ///
    /// Follows every other call, if not in the same turn then in the next, and the last one too.
    func endOfTurn(now: TurnTime)
    /// Every `tickMilliseconds` while there are connections, or when one was requested.
    func tick(now: TurnTime)
}

extension ConnectionHandler {
    /// Servers never connect.
    package func connectFailed(
        _ connection: ConnectionID,
        cause: ConnectFailure,
        now: TurnTime
    ) {}
    /// For handlers whose connections end long before.
    package func keyWorn(_ connection: ConnectionID, now: TurnTime) {}
    /// For handlers that write as they go.
    package func endOfTurn(now: TurnTime) {}
    /// For handlers without deadlines of their own.
    package func tick(now: TurnTime) {}
}
