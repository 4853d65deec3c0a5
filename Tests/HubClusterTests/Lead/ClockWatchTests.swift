import HubCluster
import HubVocabulary
import Testing

@Suite("The clock of a database")
struct ClockWatchTests {
    private static let margin: UInt64 = 200
    /// By the database's clock.
    private static let origin: UInt64 = 1_764_000_000_000

    /// An answer: the database's milliseconds, when it was asked and when it answered.
    private typealias Answer = (clock: UInt64, sent: UInt64, received: UInt64)

    private func steps(_ answers: [Answer]) -> [Int64?] {
        var watch = ClockWatch(margin: Self.margin)
        return answers.map { answer in
            watch.receive(
                Self.origin + answer.clock,
                sent: Instant(nanoseconds: answer.sent * 1_000_000),
                received: Instant(nanoseconds: answer.received * 1_000_000)
            )
        }
    }

    @Test("that goes on is no news, however long answers take")
    func even() {
        let answers: [Answer] = [
            (1_000, 0, 10), (2_000, 1_005, 1_020), (2_950, 1_900, 4_000), (5_000, 4_005, 4_006),
        ]
        #expect(steps(answers).allSatisfy { $0 == nil })
    }

    @Test("that is stepped forward is told once, by how much at least")
    func forward() {
        let answers: [Answer] = [(1_000, 0, 10), (7_005, 1_000, 1_010), (8_005, 2_000, 2_010)]
        #expect(steps(answers) == [nil, 4_994, nil])
    }

    @Test("that is stepped back is told once, by how much at least")
    func back() {
        let answers: [Answer] = [(9_000, 0, 10), (5_000, 1_000, 1_010), (6_000, 2_000, 2_010)]
        #expect(steps(answers) == [nil, -4_990, nil])
    }

    @Test("a step of no more than the margin is passed over")
    func edges() {
        // Between both answers lie 990 to 1,010 ms.
        let most = 1_000 + 1_011 + Self.margin
        #expect(steps([(1_000, 0, 10), (most, 1_000, 1_010)]) == [nil, nil])
        #expect(steps([(1_000, 0, 10), (most + 1, 1_000, 1_010)]) == [nil, 201])
        let least = 1_000 + 989 - Self.margin
        #expect(steps([(1_000, 0, 10), (least, 1_000, 1_010)]) == [nil, nil])
        #expect(steps([(1_000, 0, 10), (least - 1, 1_000, 1_010)]) == [nil, -202])
    }
}
