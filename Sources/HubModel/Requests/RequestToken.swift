/// Names one caller of a command until it is answered; chosen by the owner, never reused at once.
package struct RequestToken: Hashable, Sendable {
    /// The owner's number.
    package var raw: UInt64

    /// Makes a token.
    package init(_ raw: UInt64) { self.raw = raw }
}
