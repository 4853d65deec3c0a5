package import HubVocabulary

/// The user of a reactor: told of everything, on the reactor's thread only.
///
/// A handler may call any method of `Connections` from any of these. No call is ever made from
/// within such a method, so a handler is never re-entered.
package protocol ConnectionHandler: AnyObject {
    /// The messages that other threads send through the mailbox.
    associatedtype Message: Sendable

    /// The handshake is done, on either side.
    func opened(_ connection: ConnectionID, peer: PeerInfo, now: Now)
    /// Bytes in order, several frames or a part of one; borrowed, valid during the call.
    func received(_ bytes: Span<UInt8>, from connection: ConnectionID, now: Now)
    /// There is room again after a write was blocked or left bytes over.
    func writable(_ connection: ConnectionID, now: Now)
    /// So few records are left for the connection's key that it should end; at most once.
    ///
    /// Nothing can be written to it any more once they are used up. Source: rules D.2.
    func keyWorn(_ connection: ConnectionID, now: Now)
    /// Exactly once for each `opened`; no call follows for this name.
    func closed(_ connection: ConnectionID, cause: CloseCause, now: Now)
    /// A connection begun with `connect` did not open; no call follows for this name.
    func connectFailed(_ connection: ConnectionID, cause: ConnectFailure, now: Now)
    /// All messages that waited, in order, at most once a turn.
    func received(_ batch: [Message], now: Now)
    /// After all events of the turn: what is written here leaves with them.
    ///
    /// Follows every other call, if not in the same turn then in the next, and the last one too.
    func endOfTurn(now: Now)
    /// Every `tickMilliseconds` while there are connections, or when one was requested.
    func tick(now: Now)
}

extension ConnectionHandler {
    /// Servers never connect.
    package func connectFailed(
        _ connection: ConnectionID,
        cause: ConnectFailure,
        now: Now
    ) {}
    /// For handlers whose connections end long before.
    package func keyWorn(_ connection: ConnectionID, now: Now) {}
    /// For handlers that write as they go.
    package func endOfTurn(now: Now) {}
    /// For handlers without deadlines of their own.
    package func tick(now: Now) {}
}
