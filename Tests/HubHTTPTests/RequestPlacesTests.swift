import HubHTTP
import NIOCore
import NIOEmbedded
import Testing

@Suite("Places of requests")
struct RequestPlacesTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000)

    @Test("are kept by streams until these close")
    func streams() throws {
        let places = RequestPlaces(limit: 1)
        let connection = EmbeddedChannel()
        let stream = EmbeddedChannel()
        #expect(places.enter(stream, of: connection, now: start))
        #expect(!places.enter(EmbeddedChannel(), of: connection, now: start))
        #expect(places.count == 1)
        _ = try stream.finish()
        #expect(places.count == 0)
        #expect(places.enter(EmbeddedChannel(), of: connection, now: start))
    }

    @Test("go from the connection whose stream is the oldest, once it is old enough")
    func oldest() {
        let places = RequestPlaces(limit: 3)
        let stalled = EmbeddedChannel()
        let busy = EmbeddedChannel()
        let streams = (0..<5).map { _ in EmbeddedChannel() }
        #expect(places.enter(streams[0], of: stalled, now: start))
        #expect(places.enter(streams[1], of: stalled, now: start + .seconds(1)))
        #expect(places.enter(streams[2], of: busy, now: start + .seconds(2)))
        #expect(!places.enter(streams[3], of: busy, now: start + .milliseconds(4_999)))
        #expect(places.enter(streams[4], of: busy, now: start + .seconds(5)))
        #expect(places.count == 2, "both streams of the stalled connection are gone")
    }
}
