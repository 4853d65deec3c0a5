import HubVocabulary

/// Work that a turn leaves for its end, or for the next one.
struct TurnWork {
    /// An end that the handler has not been told of.
    enum End {
        case closed(ConnectionID, CloseCause)
        case failed(ConnectionID, ConnectFailure)
    }

    /// Slots to seal at the end of the turn.
    var dirty: [UInt32] = []
    /// Connections that may be written to again.
    var owed: [ConnectionID] = []
    /// Connections whose sending key is nearly used up.
    var worn: [ConnectionID] = []
    /// Ends to tell.
    var ended: [End] = []
    /// Slots to release at the end of the turn.
    var dead: [UInt32] = []

    var isEmpty: Bool {
        dirty.isEmpty && owed.isEmpty && worn.isEmpty && ended.isEmpty && dead.isEmpty
    }
}
