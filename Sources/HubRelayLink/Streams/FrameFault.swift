/// A breach of HTTP/2 by a service: the connection ends.
struct FrameFault: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
