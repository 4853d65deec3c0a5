import HubDelivery
import HubModel
@testable import HubServer
import HubVocabulary
import Testing

@Suite("Reads of the log that wait")
struct WaitingReadsTests {
    private func query(_ device: UInt64, session: UInt64, ticket: UInt32 = 1) -> LogQuery {
        var query = Example.query(after: 0, through: 9, limit: 9, ticket: ticket)
        query.device = DeviceID(high: 0, low: device)
        query.sessionGeneration = session
        return query
    }

    private func device(_ number: UInt64) -> DeviceID { DeviceID(high: 0, low: number) }

    @Test("are one for each device: a newer session's takes the place of an older one's")
    func newest() {
        var reads = WaitingReads()
        func add(_ query: LogQuery) -> Bool { reads.add(query) }
        #expect(add(query(1, session: 1)))
        #expect(add(query(2, session: 2)))
        for session in UInt64(3)...1_000 { #expect(!add(query(1, session: session))) }
        #expect(reads.count == 2)
        // A late word of a session that was taken over.
        #expect(!add(query(1, session: 5)))
        let first = reads.take(device(1))
        #expect(first?.sessionGeneration == 1_000)
        let again = reads.take(device(1))
        #expect(again == nil)
        #expect(reads.count == 1)
    }

    @Test("of a session that has ended are not done, and their place is used again")
    func ended() {
        var reads = WaitingReads()
        func add(_ query: LogQuery) -> Bool { reads.add(query) }
        #expect(add(query(1, session: 1)))
        reads.forget(device(1), sessionGeneration: 2)
        reads.forget(device(1), sessionGeneration: 1)
        #expect(!add(query(1, session: 3, ticket: 7)), "the place is still in the queue")
        let next = reads.take(device(1))
        #expect(next?.ticket == 7)
        #expect(add(query(1, session: 3)))
        reads.forget(device(1), sessionGeneration: 3)
        let gone = reads.take(device(1))
        #expect(gone == nil)
        #expect(reads.count == 0)
    }
}
