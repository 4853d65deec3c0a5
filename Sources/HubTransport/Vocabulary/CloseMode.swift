/// How a connection is to end.
package enum CloseMode: Sendable, Equatable {
    /// Sends what was written and close_notify first, within the close deadline.
    case afterFlush
    /// Drops what was not sent yet.
    case atOnce
}
