/// The mailbox's answer to a message.
package enum PostResult: Sendable, Equatable {
    /// The reactor will hand it over.
    case posted
    /// The mailbox holds as many as it may; nothing was taken.
    case full
    /// The reactor has ended; nothing was taken.
    case closed
}
