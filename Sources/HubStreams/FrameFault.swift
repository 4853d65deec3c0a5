/// A breach of HTTP/2 by a service: the connection ends.
package struct FrameFault: Error {
    /// The breach, in words.
    package let reason: String

    /// Makes a breach.
    package init(_ reason: String) { self.reason = reason }
}
