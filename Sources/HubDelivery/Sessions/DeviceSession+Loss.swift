import HubModel
import HubWire

/// History that was cut while a session had not evaluated it yet. Source: rules A.6; Protocol R-7.
extension DeviceSession {
    /// The end of a loss whose check value is to be found out; 0 for none.
    var unknownEnd: UInt64 {
        guard let loss, loss.check == nil else { return 0 }
        return loss.through
    }

    /// Whether a GAP waits that the device would take now.
    var canTellLoss: Bool {
        guard let loss, !loss.isTold, loss.check != nil else { return false }
        return !window.isPaused
    }

    /// Takes note of a piece of the log that was cut or purged in front of a place.
    mutating func note(_ cut: LogPage.Cut, through reached: UInt64) {
        note(
            HistoryLoss(
                through: cut.through,
                check: reached >= cut.through ? cut.check : nil,
                lost: cut.count,
                reason: cut.isPurge ? .purge : .deviceCap
            )
        )
    }

    /// Takes note of records that cannot be read.
    mutating func note(_ damage: LogPage.Damage) {
        note(
            HistoryLoss(
                through: damage.through,
                check: damage.check,
                lost: damage.count,
                reason: .historyLost
            )
        )
    }

    /// Takes note of a loss.
    ///
    /// While the device was not told of the last one, both become one.
    mutating func note(_ next: HistoryLoss) {
        guard let loss, !loss.isTold else {
            if next.lost > 0 { self.loss = next }
            return
        }
        var both = next
        both.through = max(loss.through, next.through)
        if loss.through > next.through { both.check = loss.check }
        // The largest value says that the number is not known.
        both.lost =
            loss.lost.addingReportingOverflow(next.lost).overflow
            ? ResumeDecision.lostUnknown : loss.lost + next.lost
        // The gravest reason stands for both.
        let reasons: [GapReason] = [.tagHistoryCut, .historyLost, .deviceCap, .purge]
        both.reason = reasons.first { $0 == loss.reason || $0 == next.reason } ?? next.reason
        self.loss = both
    }
}
