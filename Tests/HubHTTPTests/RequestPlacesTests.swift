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
        let streams = (0..<3).map { _ in EmbeddedChannel() }
        #expect(places.enter(streams[0], of: connection, now: start) == .admitted)
        let refused = RequestPlaces.Admission.refused(hasOthers: true)
        #expect(places.enter(streams[1], of: connection, now: start) == refused)
        let other = EmbeddedChannel()
        #expect(places.enter(streams[1], of: other, now: start) == .refused(hasOthers: false))
        #expect(places.count == 1)
        _ = try streams[0].finish()
        #expect(places.count == 0)
        #expect(places.enter(streams[2], of: connection, now: start) == .admitted)
    }

    @Test("go from the connection whose answer is the oldest, once it is old enough")
    func oldest() {
        let places = RequestPlaces(limit: 3)
        let stalled = EmbeddedChannel()
        let busy = EmbeddedChannel()
        let streams = (0..<5).map { _ in EmbeddedChannel() }
        for (stream, connection) in zip(streams, [stalled, stalled, busy]) {
            #expect(places.enter(stream, of: connection, now: start) == .admitted)
        }
        places.answered(streams[0], now: start)
        let early = start + .milliseconds(4_999)
        #expect(places.enter(streams[3], of: busy, now: early) == .refused(hasOthers: true))
        #expect(places.enter(streams[4], of: busy, now: start + .seconds(5)) == .admitted)
        #expect(places.count == 2, "both streams of the stalled connection are gone")
    }

    @Test("stay with requests that the server has not answered")
    func unanswered() {
        let places = RequestPlaces(limit: 1)
        let connection = EmbeddedChannel()
        let streams = (0..<2).map { _ in EmbeddedChannel() }
        #expect(places.enter(streams[0], of: connection, now: start) == .admitted)
        let late = start + .hours(1)
        #expect(places.enter(streams[1], of: connection, now: late) == .refused(hasOthers: true))
    }
}
