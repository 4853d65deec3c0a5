import HubModel
import HubVocabulary
import HubWire

/// A report that the directory did not get yet, without the cursors and counts that sessions hold.
struct PendingReport {
    /// Sessions whose cursor moved since the directory was last told; `hasMoved` says which of
    /// them still count.
    private(set) var moved: [SessionIndex] = []
    var tally = TelemetryTally()
    var receipts: [DeviceReceipt] = []
    /// Matches that are not sent and that the directory was not told of, of all sessions.
    var unsent = 0
    /// Live matches of the record that is being fanned out, by platform.
    private var matches = [UInt32](repeating: 0, count: Platform.allCases.count)
    /// The place in the feed that the directory was last told.
    private var toldApplied: UInt64

    /// Nothing, for a feed that stands at `applied`.
    init(applied: UInt64) { toldApplied = applied }

    /// Whether there is something that the directory does not know yet.
    func isOwed(applied: UInt64) -> Bool {
        !moved.isEmpty || !tally.isEmpty || !receipts.isEmpty || applied > toldApplied
    }

    /// Whether it should not wait.
    func isFull(_ limits: SessionLimits) -> Bool {
        tally.isFull || receipts.count >= limits.receiptsPerReport
            || unsent >= limits.unsentPerReport
    }

    /// A session's cursor has moved.
    mutating func noteMoved(_ index: SessionIndex) { moved.append(index) }

    /// Adds the receipts of a frame.
    mutating func add(_ frame: borrowing ReceiptsFrame, of device: DeviceID) {
        for index in 0..<frame.count {
            let receipt = frame[index]
            receipts.append(
                DeviceReceipt(
                    device: device,
                    notification: NotificationID(
                        high: receipt.notification.high,
                        low: receipt.notification.low
                    ),
                    event: receipt.event,
                    slot: receipt.slot
                )
            )
        }
    }

    /// Counts live matches of the record that is being fanned out.
    mutating func countMatches(_ count: Int, _ platform: Platform) {
        matches[Int(platform.rawValue)] += UInt32(count)
    }

    /// Live matches of the record that is being fanned out.
    var matchCount: Int { matches.reduce(0) { $0 + Int($1) } }

    /// Adds up the live matches of a record, once it is fanned out.
    mutating func finishMatches(of sequence: UInt64) {
        for platform in Platform.allCases {
            let count = matches[Int(platform.rawValue)]
            guard count > 0 else { continue }
            matches[Int(platform.rawValue)] = 0
            tally.add(.matched, count, sequence: sequence, platform: platform)
        }
    }

    /// Counts the entries that were written of a turn's parcels.
    mutating func countSent(_ turn: TurnLists) {
        for (number, parcel) in turn.parcels.enumerated() where turn.sent[number] > 0 {
            tally.add(
                .sent,
                turn.sent[number],
                sequence: parcel.sequence,
                platform: parcel.platform
            )
        }
    }

    /// Moves counts and receipts into a report, which tells of everything.
    mutating func empty(into report: inout ProgressReport) {
        moved.removeAll(keepingCapacity: true)
        report.counters = tally.take()
        report.receipts = receipts
        receipts.removeAll(keepingCapacity: true)
        toldApplied = report.applied
    }
}
