import HubTestSupport
import HubTransport
import TLSRecords
import Testing

@Suite("Limits of records")
struct RecordLimitTests {
    private static let minute: UInt64 = 60_000_000_000

    @Test("eight key updates are taken in a minute, and as many in the next")
    func keyUpdates() throws {
        let pair = try RecordPair()
        for start in [0, Self.minute, 5 * Self.minute] {
            for _ in 0..<8 {
                let update = pair.peer.keyUpdate(asking: false)
                #expect(pair.take(update, at: start).results == [.keyUpdate(isAnswerWanted: false)])
            }
        }
        let more = pair.peer.keyUpdate(asking: true)
        let reception = pair.take(more, at: 6 * Self.minute - 1)
        #expect(reception.results == [.failed(.unexpectedMessage)])
        #expect(reception.answers.isEmpty)
    }

    @Test("thirty-two records without content are taken in a minute")
    func emptyRecords() throws {
        let pair = try RecordPair()
        for start in [0, Self.minute] {
            for count in 0..<32 {
                let empty = pair.peer.seal([], padding: count)
                #expect(pair.take(empty, at: start).results == [.data])
                #expect(pair.take(pair.peer.seal([1]), at: start).data == [1])
            }
        }
        let last = pair.take(pair.peer.seal([]), at: 2 * Self.minute - 1)
        #expect(last.results == [.failed(.unexpectedMessage)])
    }

    @Test("four alerts in a row may say nothing, as often as something comes between")
    func idleAlerts() throws {
        let pair = try RecordPair()
        for _ in 0..<3 {
            for _ in 0..<4 {
                #expect(pair.take(pair.peer.seal([1, 90], type: 21)).results == [.nothing])
            }
            #expect(pair.take(pair.peer.seal([1])).results == [.data])
        }
        for _ in 0..<4 { _ = pair.take(pair.peer.seal([1, 90], type: 21)) }
        // An empty record is nothing in between.
        #expect(pair.take(pair.peer.seal([])).results == [.data])
        let last = pair.take(pair.peer.seal([1, 90], type: 21))
        #expect(last.results == [.failed(.unexpectedMessage)])
    }

    @Test("a key seals as many records as it may, is worn before, and an alert still leaves")
    func recordsPerKey() throws {
        var limits = RecordLimits()
        limits.recordsPerKey = 10
        limits.recordsReserved = 3
        let pair = try RecordPair()
        var stream: [UInt8] = []
        for count in UInt8(0)..<10 {
            let isWorn = pair.isWorn(limits)
            #expect(isWorn == (count >= 7))
            stream += try #require(pair.seal([count], within: limits))
        }
        #expect(pair.seal([10], within: limits) == nil)
        stream += pair.seal(.closeNotify)
        let reception = pair.peer.open(stream)
        #expect(reception.data == Array(0..<10))
        #expect(reception.results.last == .closed)
    }

    @Test("the peer's wish for new keys makes a worn key new")
    func renewsKeys() throws {
        var limits = RecordLimits()
        limits.recordsPerKey = 4
        limits.recordsReserved = 1
        let pair = try RecordPair()
        for _ in 0..<4 { _ = pair.seal([1], within: limits) }
        #expect(pair.seal([1], within: limits) == nil)
        let reception = pair.take(pair.peer.keyUpdate(asking: true), within: limits)
        #expect(!reception.answers.isEmpty)
        let isWorn = pair.isWorn(limits)
        #expect(!isWorn)
        #expect(pair.seal([1], within: limits) != nil)
    }

    @Test("the numbers are those of the standard and of the rules")
    func numbers() {
        let limits = RecordLimits()
        #expect(limits.recordsPerKey == 16_777_216)
        #expect(limits.keyUpdatesPerMinute == 8 && limits.emptyRecordsPerMinute == 32)
        #expect(RecordLimits.ciphertextBytesMax == 16_640)
        #expect(RecordLimits.overheadBytes == 22)
    }
}
