import HubModel
import HubVocabulary
import Testing

@testable import HubStore

@Suite("Counters of many notifications in a row")
struct CounterBlockTests {
    @Test("are added up, and read as they were written")
    func addsUp() throws {
        var block = CounterBlock(number: 0)
        block.add([
            Sample.delta(1, .apple, .sent, 2), Sample.delta(63, nil, .matched, .max >> 1),
            Sample.delta(1, .apple, .sent, 300), Sample.delta(0, .fcmV1, .opened, 1),
        ])
        let read = try #require(CounterBlock(number: 0, block.bytes))
        #expect(read.counters(of: 0) == [Sample.delta(0, .fcmV1, .opened, 1)])
        #expect(read.counters(of: 1) == [Sample.delta(1, .apple, .sent, 302)])
        #expect(read.counters(of: 2) == [])
        #expect(read.counters(of: 63) == [Sample.delta(63, nil, .matched, .max >> 1)])
    }

    @Test("are refused where a byte is missing, too much or out of order")
    func refuses() {
        var block = CounterBlock(number: 0)
        block.add([Sample.delta(1, .apple, .sent, 300), Sample.delta(2, .apple, .sent, 1)])
        let bytes = block.bytes
        for count in 1..<bytes.count where count != 5 {
            #expect(CounterBlock(number: 0, Array(bytes.prefix(count))) == nil, "\(count) bytes")
        }
        #expect(CounterBlock(number: 0, bytes + [1]) == nil)
        #expect(CounterBlock(number: 0, Array(bytes.suffix(4)) + bytes.prefix(5)) == nil)
        #expect(CounterBlock(number: 0, [64] + bytes.dropFirst()) == nil)
    }
}
