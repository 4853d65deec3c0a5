import Hummingbird
import NIOCore

/// A body that notes its end.
struct TrackedBody: AsyncSequence, Sendable {
    let body: RequestBody
    let end: BodyEnd

    func makeAsyncIterator() -> Iterator {
        Iterator(base: body.makeAsyncIterator(), end: end)
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: RequestBody.AsyncIterator
        fileprivate let end: BodyEnd

        @concurrent
        mutating func next() async throws -> ByteBuffer? {
            let piece = try await base.next()
            if piece == nil { end.reach() }
            return piece
        }
    }
}
