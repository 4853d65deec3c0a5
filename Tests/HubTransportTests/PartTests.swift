import HubTestSupport
import Glibc
@testable import HubTransport
import HubVocabulary
import Testing

@Suite("Parts of the transport")
struct PartTests {
    @Test("chunks of many connections come back whole, whatever the order they were written in")
    func gathersChains() {
        var random = SeededGenerator(seed: 0x5EED)
        for _ in 0..<50 {
            let output = TurnOutput(capacity: 20_000, turnBytes: 5_000)
            var chains = [TurnOutput.Chain](repeating: TurnOutput.Chain(), count: 5)
            var expected = [[UInt8]](repeating: [], count: 5)
            for _ in 0..<100 {
                let index = Int.random(in: 0..<5, using: &random)
                let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
                _ = unsafe output.space(bytes.count).initialize(from: bytes)
                output.append(bytes.count, to: &chains[index])
                expected[index] += bytes
            }
            for index in 0..<5 {
                #expect(unsafe Array(output.bytes(of: chains[index])) == expected[index])
                #expect(Int(chains[index].bytes) == expected[index].count)
            }
        }
    }

    @Test("deadlines come in order, at their time and not before")
    func ordersDeadlines() {
        var queue = DeadlineQueue()
        #expect(queue.next == nil)
        for number in 0..<5_000 as Range<UInt32> {
            queue.append(ConnectionID(slot: number, generation: 1), at: UInt64(number) * 10)
        }
        #expect(queue.popDue(at: 0)?.slot == 0)
        #expect(queue.popDue(at: 9) == nil)
        var next: UInt32 = 1
        for time in stride(from: UInt64(10), through: 50_000, by: 35) {
            while let connection = queue.popDue(at: time) {
                #expect(connection.slot == next)
                #expect(UInt64(next) * 10 <= time)
                next += 1
            }
            if let due = queue.next { #expect(due > time) }
        }
        #expect(next == 5_000)
        #expect(queue.next == nil)
    }

    @Test("the line of connections tells the one that has waited longest, and stays short")
    func findsOldest() {
        var line = ConnectionLine()
        let all = (0..<5_000).map { ConnectionID(slot: UInt32($0), generation: 1) }
        for connection in all.prefix(4) { line.append(connection) { _ in true } }
        #expect(line.popFirst { $0.slot > 1 } == all[2])
        #expect(line.popFirst { _ in true } == all[3])
        #expect(line.popFirst { _ in true } == nil)
        for connection in all { line.append(connection) { $0.slot + 10 > connection.slot } }
        #expect(line.count == 10)
        #expect(line.popFirst { _ in true } == all[4_990])
    }

    @Test("addresses are counted alone for IPv4 and by network for IPv6")
    func countsAddresses() throws {
        var limits = TransportLimits()
        limits.unauthenticatedPerAddress = 1
        var admission = Admission(limits)
        let cases: [(String, TransportStatistics.Refusal?)] = [
            ("192.0.2.1", nil), ("192.0.2.2", nil), ("192.0.2.1", .perAddress),
            ("2001:db8::1", nil), ("2001:db8::2", .perAddress), ("2001:db8:0:1::1", nil),
            ("127.0.0.1", nil), ("127.0.0.1", nil),
        ]
        for (text, expected) in cases {
            let address = try SocketAddress(numeric: text, port: 1)
            #expect(admission.admit(address, connections: 0) == expected, "\(text)")
        }
        #expect(admission.unauthenticated == 6)
        let freed = try SocketAddress(numeric: "2001:db8::9", port: 1)
        admission.uncount(freed)
        #expect(admission.admit(freed, connections: 0) == nil)
    }

    @Test("rows of the table are reused under a new generation, and bounded")
    func reusesRows() {
        let table = ConnectionTable(capacity: 2)
        let peers = (1...3).map { SocketAddress(high: 0, low: $0, port: 443) }
        let first = table.claim(for: peers[0])
        let second = table.claim(for: peers[1])
        #expect(first == 0 && second == 1)
        #expect(table.claim(for: peers[2]) == nil)
        let old = table.id(1)
        table.release(1)
        #expect(table.slot(of: old) == nil)
        #expect(table.claim(for: peers[2]) == 1)
        #expect((0...1).map { table.address(of: $0) } == [peers[0], peers[2]])
        #expect(table.slot(of: old) == nil)
        #expect(table.slot(of: table.id(1)) == 1)
        #expect(table.slot(of: ConnectionID(slot: 7, generation: 1)) == nil)
        #expect(table.occupied == 2)
    }

    @Test("a row of the hot table stays within one cache line")
    func keepsRowsSmall() {
        #expect(MemoryLayout<ConnectionRow>.stride <= 64)
    }

    @Test("CPU time and memory of this process are read, those of no process are not")
    func readsProcesses() throws {
        let cpu = try #require(ProcessMeter.cpuNanoseconds(process: getpid()))
        #expect(cpu > 0)
        let memory = try #require(ProcessMeter.residentAnonymousBytes(process: getpid()))
        #expect(memory > 1 << 16)
        #expect(ProcessMeter.cpuNanoseconds(process: -5) == nil)
        #expect(ProcessMeter.residentAnonymousBytes(process: -5) == nil)
        let limit = ProcessMeter.openFileLimit
        #expect(limit > 0)
        #expect(ProcessMeter.raiseOpenFileLimit(to: 0) == limit)
    }
}
