import HubWire

/// The end of a connection's patience.
enum ConnectionLapse {
    /// The peer did not send in time what is due.
    case failed(ErrorNumber)
    /// The time after GOAWAY or BYE is over.
    case over
    /// The transport has not closed in time.
    case closed
}
