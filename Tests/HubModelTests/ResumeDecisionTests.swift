import HubModel
import HubVocabulary
import HubWire
import Testing

@Suite("Resume decisions")
struct ResumeDecisionTests {
    /// The log of the table: epochs 5 from 1 and 9 from 61, records 21...100 held, check = 1000 + n.
    private static let bounds = LogBounds(
        epoch: 9,
        first: 21,
        head: 100,
        epochs: [LogPlace(epoch: 5, sequence: 1), LogPlace(epoch: 9, sequence: 61)]
    )

    private static func check(_ sequence: UInt64) -> UInt32? {
        (21...100).contains(sequence) ? UInt32(sequence) + 1_000 : nil
    }

    struct Row: CustomTestStringConvertible {
        var testDescription: String
        var purged: UInt64 = 0
        var epoch: UInt64
        var sequence: UInt64
        var check: UInt32
        var acknowledged: UInt64?
        var scanned: UInt64 = 0
        var since: UInt64?
        var cut: UInt64?
        var outcome: ResumeOutcome
        var start: UInt64
        var scannedThrough: UInt64
        var lost: UInt32 = 0
    }

    private static func row(
        _ name: String,
        _ position: (UInt64, UInt64, UInt32),
        acked: (UInt64, UInt64)? = nil,
        since: UInt64? = nil,
        cut: UInt64? = nil,
        purged: UInt64 = 0,
        _ outcome: ResumeOutcome,
        start: UInt64,
        scanned: UInt64? = nil,
        lost: UInt32 = 0
    ) -> Row {
        Row(
            testDescription: name,
            purged: purged,
            epoch: position.0,
            sequence: position.1,
            check: position.2,
            acknowledged: acked?.0,
            scanned: acked?.1 ?? 0,
            since: since,
            cut: cut,
            outcome: outcome,
            start: start,
            scannedThrough: scanned ?? start,
            lost: lost
        )
    }

    private static let unknown = ResumeDecision.lostUnknown

    static let rows = [
        row("nothing known: the head", (0, 0, 0), .fresh, start: 100),
        row("registrations only", (0, 0, 0), since: 40, .fresh, start: 39),
        row("registrations older than the log", (0, 0, 0), since: 1, .fresh, start: 20),
        row(
            "a cursor beats registrations",
            (0, 0, 0),
            acked: (50, 70),
            since: 40,
            .fresh,
            start: 50,
            scanned: 70
        ),
        row("a cursor below the log", (0, 0, 0), acked: (3, 3), .fresh, start: 20),
        row("a cursor above the head", (0, 0, 0), acked: (150, 160), .fresh, start: 100),
        row("a position that fits", (9, 80, 1_080), .resumed, start: 80),
        row("at the head", (9, 100, 1_100), .resumed, start: 100),
        row("above the cursor", (9, 80, 1_080), acked: (30, 75), .resumed, start: 80),
        row("at the cursor", (9, 80, 1_080), acked: (80, 95), .resumed, start: 80, scanned: 95),
        row(
            "at the cursor, scanned beyond the head",
            (9, 80, 1_080),
            acked: (80, 400),
            .resumed,
            start: 80,
            scanned: 100
        ),
        row("below the cursor", (9, 80, 1_080), acked: (90, 95), .resumed, start: 80),
        row("an older epoch, below the next one", (5, 60, 1_060), .resumed, start: 60),
        row("an older epoch, in the next one's place", (5, 61, 1_061), .reset, start: 100),
        row("the newer epoch, below its first place", (9, 30, 1_030), .resumed, start: 30),
        row("an unknown epoch", (6, 80, 1_080), acked: (50, 70), .reset, start: 50, scanned: 70),
        row("a wrong check value", (9, 80, 1_081), acked: (50, 50), .reset, start: 50),
        row("above the head", (9, 101, 1_101), .reset, start: 100),
        row("nothing yet, in a log that was trimmed", (9, 0, 0), .resumed, start: 20),
        row("far below the log", (5, 7, 1), .resumed, start: 20),
        row("just below the log, check forgotten", (5, 20, 77), .resumed, start: 20),
        row("the first record held", (5, 21, 1_021), .resumed, start: 21),
        row("a cut above the position", (9, 70, 1_070), cut: 90, .gap, start: 89, lost: unknown),
        row("a cut just above the position", (9, 89, 1_089), cut: 90, .resumed, start: 89),
        row("a cut below the position", (9, 95, 1_095), cut: 90, .resumed, start: 95),
        row(
            "a cut in what was scanned",
            (9, 70, 1_070),
            acked: (70, 89),
            cut: 90,
            .resumed,
            start: 70,
            scanned: 89
        ),
        row(
            "a cut above a lost position",
            (6, 70, 0),
            acked: (40, 40),
            cut: 90,
            .reset,
            start: 89,
            lost: unknown
        ),
        row(
            "a cut above a device without position",
            (0, 0, 0),
            acked: (40, 40),
            cut: 90,
            .gap,
            start: 89,
            lost: unknown
        ),
        row("a cut just above the head", (9, 70, 1_070), cut: 101, .gap, start: 100, lost: unknown),
        row(
            "purged records that are gone",
            (9, 15, 1),
            purged: 16,
            .gap,
            start: 20,
            lost: unknown
        ),
        row("purged records that are gone, all seen", (9, 16, 1), purged: 16, .resumed, start: 20),
        row("purged records that are held", (9, 30, 1_030), purged: 40, .resumed, start: 30),
        row(
            "purged records that are gone, scanned before",
            (9, 12, 1),
            acked: (12, 16),
            purged: 16,
            .resumed,
            start: 20
        ),
        row(
            "purged records that are gone, without position",
            (0, 0, 0),
            since: 9,
            purged: 16,
            .gap,
            start: 20,
            lost: unknown
        ),
        row(
            "purged records that are gone, with a lost position",
            (6, 15, 1),
            acked: (9, 9),
            purged: 16,
            .reset,
            start: 20,
            lost: unknown
        ),
        row(
            "a cut above the head, nothing to read",
            (9, 100, 1_100),
            cut: 101,
            .resumed,
            start: 100
        ),
    ]

    @Test("agree with the table", arguments: rows)
    func decides(_ row: Row) throws {
        var bounds = Self.bounds
        bounds.purged = row.purged
        let decision = try ResumeDecision.decide(
            position: Position(epoch: row.epoch, sequence: row.sequence, check: row.check),
            bounds: bounds,
            cursor: row.acknowledged.map {
                ResumeDecision.Cursor(acknowledged: $0, scannedThrough: row.scanned)
            },
            lowestSince: row.since,
            historyCut: row.cut,
            check: Self.check
        )
        #expect(decision.outcome == row.outcome)
        #expect(decision.start.sequence == row.start)
        #expect(decision.start.epoch == 9)
        #expect(decision.scannedThrough == row.scannedThrough)
        #expect(decision.lost == row.lost)
        #expect(decision.isMismatch == (row.outcome == .reset))
        let isForgotten = decision.outcome == .resumed && row.sequence == row.start
        let check = Self.check(row.start) ?? (isForgotten ? row.check : 0)
        #expect(decision.start.check == check)
    }

    @Test("an empty log starts at 0 and knows the position before its first record")
    func emptyLog() throws {
        let bounds = LogBounds(
            epoch: 3,
            first: 1,
            head: 0,
            epochs: [LogPlace(epoch: 3, sequence: 1)]
        )
        for position in [Position.none, Position(epoch: 3, sequence: 0, check: 0)] {
            let decision = try ResumeDecision.decide(
                position: position,
                bounds: bounds,
                cursor: nil,
                lowestSince: nil,
                historyCut: nil
            ) { $0 == 0 ? 0 : nil }
            #expect(decision.start == Position(epoch: 3, sequence: 0, check: 0))
            #expect(decision.outcome == (position.epoch == 0 ? .fresh : .resumed))
        }
    }

    @Test("a log that cannot be read decides nothing")
    func unreadable() {
        let failure = StoreError.unavailable(reason: "away")
        #expect(throws: failure) {
            try ResumeDecision.decide(
                position: Position(epoch: 9, sequence: 80, check: 0),
                bounds: Self.bounds,
                cursor: nil,
                lowestSince: nil,
                historyCut: nil
            ) { _ throws(StoreError) in throw failure }
        }
    }
}
