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
    /// It had not proven who it is, and a newer one needed its place.
    case yielded
    /// The reactor stopped before the connection had ended.
    case stopped
}
