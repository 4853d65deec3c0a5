package import HubVocabulary

/// Where a shard's output goes: the transport, or a test.
package protocol ShardOutput {
    /// Bytes that `write` takes now; 0 when the socket is full or the connection gone.
    func room(in connection: ConnectionID) -> Int

    /// Takes all bytes, at most `room`; they leave with the turn.
    func write(_ bytes: Span<UInt8>, to connection: ConnectionID)

    /// Returns the time, of a turn that began at `turn` and has written.
    func now(inTurnOf turn: Instant) -> Instant
}

extension ShardOutput {
    /// Where time is given, none passes within a turn.
    package func now(inTurnOf turn: Instant) -> Instant { turn }
}
