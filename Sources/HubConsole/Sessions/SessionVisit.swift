/// The session that a cookie opens.
enum SessionVisit {
    /// A session; a fresh one was confirmed a short time ago.
    case open(ConsoleSession, isFresh: Bool)
    /// A session with too many requests in this second.
    case tooFast
    /// Nothing: it is unknown, has ended, or was idle too long.
    case none
}
