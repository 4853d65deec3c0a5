/// States of a connection; the diagram is in Protocol/README.md.
enum ConnectionPhase {
    /// TLS is up; only HELLO is accepted. Who the peer is matters no longer than that.
    indirect case awaitingHello(PeerIdentity)
    /// HELLO was proven; the directory is asked; nothing is accepted.
    indirect case attaching(PendingHello)
    /// A session.
    case ready(SessionReference)
    /// GOAWAY was sent: acknowledgements are still read.
    case draining(SessionReference)
    /// BYE came behind requests: nothing more is read, their answers are still written.
    case leaving(SessionReference)
    /// A fatal ERROR is written or the peer left; bytes are ignored until the transport closes.
    case closing

    /// The session of the connection, until it ends.
    var session: SessionReference? {
        switch self {
        case .ready(let session), .draining(let session), .leaving(let session): session
        case .awaitingHello, .attaching, .closing: nil
        }
    }

    /// The number of the hub that the device has a session on, or asked for one.
    var hub: Int? {
        guard case .attaching(let pending) = self else { return session?.hub }
        return pending.hub
    }
}
