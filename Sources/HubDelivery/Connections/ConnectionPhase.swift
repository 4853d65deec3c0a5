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
}
