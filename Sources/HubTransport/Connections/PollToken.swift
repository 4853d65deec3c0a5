import HubVocabulary

/// The name of a descriptor in the poller: slot and generation, or one of two other names.
enum PollToken {
    static let listener = UInt64(UInt32.max)
    static let mailbox = UInt64(UInt32.max - 1)

    static func connection(_ connection: ConnectionID) -> UInt64 {
        UInt64(connection.slot) | UInt64(connection.generation) << 32
    }

    static func connection(of token: UInt64) -> ConnectionID {
        ConnectionID(
            slot: UInt32(truncatingIfNeeded: token),
            generation: UInt32(token >> 32)
        )
    }
}
