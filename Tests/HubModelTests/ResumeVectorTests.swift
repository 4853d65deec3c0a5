import HubModel
import HubTestSupport
import HubVocabulary
import HubWire
import Testing

@Suite("Resume decisions and the protocol's scenarios")
struct ResumeVectorTests {
    /// Decimal digits, as the vectors write u64 values.
    private static func number(_ text: String) throws -> UInt64 { try #require(UInt64(text)) }

    private static func bounds(_ hub: ResumeScenario.Hub) throws -> LogBounds {
        let epochs = try hub.epochs.map { pair in
            LogPlace(epoch: try number(pair[0]), sequence: try number(pair[1]))
        }
        return LogBounds(
            epoch: try #require(epochs.last).epoch,
            first: try number(hub.first),
            head: try number(hub.head),
            epochs: epochs
        )
    }

    private static func decide(_ scenario: ResumeScenario) throws -> ResumeDecision {
        let hub = scenario.hub
        var cursor: ResumeDecision.Cursor?
        if let acknowledged = try hub.cursor.map(number) {
            cursor = ResumeDecision.Cursor(
                acknowledged: acknowledged,
                scannedThrough: try hub.scannedThrough.map(number) ?? acknowledged
            )
        }
        return try ResumeDecision.decide(
            position: Position(
                epoch: try number(scenario.hello.epoch),
                sequence: try number(scenario.hello.seq),
                check: scenario.hello.check
            ),
            bounds: try bounds(hub),
            cursor: cursor,
            lowestSince: try hub.effectiveFrom.map(number),
            historyCut: try hub.cut.map { try number($0.through) + 1 }
        ) { sequence in sequence == 0 ? 0 : hub.checks["\(sequence)"] }
    }

    @Test("agree", arguments: Vectors.resume)
    func agrees(_ scenario: ResumeScenario) throws {
        let expected = scenario.expect
        let decision = try Self.decide(scenario)
        #expect("\(decision.outcome)".uppercased() == expected.resume)
        #expect(decision.start.epoch == (try Self.number(expected.epoch)))
        #expect(decision.start.sequence == (try Self.number(expected.seq)))
        if let check = expected.check { #expect(decision.start.check == check) }
        #expect(decision.lost == expected.lost)
        #expect(decision.scannedThrough == (try Self.number(expected.scanAfter)))
    }

    @Test("are not a handful")
    func enough() {
        #expect(Vectors.resume.count >= 49)
    }
}
