import HubModel
import HubWire

/// History that was cut while a session had not evaluated it yet. Source: rules A.6; Protocol R-7.
extension HubShard {
    /// Skips what can no longer be evaluated: the records below the place at which the tag history
    /// of one of the device's registrations was cut, as HELLO does.
    ///
    /// Entries that were evaluated before are still sent, then GAP, then the later ones. To be
    /// called when a reading session gets registrations, or starts to read with those it has.
    func skipCutHistory(_ place: Int) {
        guard case .catchingUp(var state) = sessions[place].mode,
            let cut = sessions[place].registrations.map(\.historyCut).max(),
            max(state.scanned, sessions[place].recountThrough) + 1 < cut
        else { return }
        // The last record that is skipped is read for its check value.
        state.scanned = cut - 2
        sessions[place].mode = .catchingUp(state)
        note(
            HistoryLoss(
                through: cut - 1,
                lost: ResumeDecision.lostUnknown,
                reason: .tagHistoryCut
            ),
            place
        )
    }

    /// The end of a loss whose check value is to be found out; 0 for none.
    func unknownEnd(_ place: Int) -> UInt64 {
        guard let loss = sessions[place].loss, loss.check == nil else { return 0 }
        return loss.through
    }

    /// Takes note of what was cut or purged in a page.
    func note(_ cut: LogPage.Cut, through reached: UInt64, _ place: Int) {
        note(
            HistoryLoss(
                through: cut.through,
                check: reached >= cut.through ? cut.check : nil,
                lost: cut.count,
                reason: cut.isPurge ? .purge : .deviceCap
            ),
            place
        )
    }

    /// Takes note of records that cannot be read, behind everything else of a page.
    ///
    /// They are read again when a GAP has to be told first, in front of an entry that waits.
    func note(_ damage: LogPage.Damage, _ state: inout CatchUp, _ place: Int) {
        if let loss = sessions[place].loss, !loss.isTold, loss.check != nil,
            let last = state.held.last, last.sequence > loss.through
        {
            state.scanned = min(state.scanned, damage.first - 1)
            return
        }
        counters.unwritten.damaged += UInt64(damage.count)
        note(
            HistoryLoss(
                through: damage.through,
                check: damage.check,
                lost: damage.count,
                reason: .historyLost
            ),
            place
        )
    }

    /// Notes a loss; one that the device was not told of yet is told together with it.
    private func note(_ next: HistoryLoss, _ place: Int) {
        guard let loss = sessions[place].loss, !loss.isTold else {
            sessions[place].loss = next.lost > 0 ? next : sessions[place].loss
            return
        }
        var both = next
        both.through = max(loss.through, next.through)
        if loss.through > next.through { both.check = loss.check }
        // The largest value says that the number is unknown.
        both.lost =
            loss.lost.addingReportingOverflow(next.lost).overflow
            ? ResumeDecision.lostUnknown : loss.lost + next.lost
        // The gravest reason stands for both.
        let reasons: [GapReason] = [.tagHistoryCut, .historyLost, .deviceCap, .purge]
        both.reason = reasons.first { $0 == loss.reason || $0 == next.reason } ?? next.reason
        sessions[place].loss = both
    }

    /// Writes the GAP that is due in front of an entry, or behind all; false when it has to wait,
    /// and what is behind it with it.
    func tellLoss(
        _ place: Int,
        before entry: HeldEntry?,
        _ framer: inout DeliveryFramer,
        into bytes: inout [UInt8],
        _ room: Int
    ) -> Bool {
        guard let loss = sessions[place].loss, !loss.isTold else { return true }
        if let entry, entry.sequence <= loss.through { return true }
        guard loss.through > framer.complete else {
            // A position does not go back, whatever it was moved by.
            sessions[place].loss?.isTold = true
            return true
        }
        // An entry behind the loss was evaluated after the last record of it was read.
        guard canTellLoss(place), let check = loss.check,
            bytes.count + WireLimits.frameHeaderBytes + 64 <= room
        else { return false }
        framer.appendGap(
            to: loss.through,
            check: check,
            lost: loss.lost,
            reason: loss.reason,
            into: &bytes
        )
        sessions[place].loss?.isTold = true
        counters.losses += 1
        return true
    }

    /// Whether a GAP waits that the device would take now.
    func canTellLoss(_ place: Int) -> Bool {
        guard let loss = sessions[place].loss, !loss.isTold, loss.check != nil else {
            return false
        }
        return !sessions[place].window.isPaused
    }
}
