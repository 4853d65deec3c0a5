import HubModel
import HubVocabulary
import HubWire

/// The entries that wait for the device of a session that reads the log, and how they are written.
extension HubShard {
    /// Writes what a catching-up session holds and may get, and moves it to live at the head.
    func writeHeld(_ index: SessionIndex, into bytes: inout [UInt8], room: Int, now: Now) {
        guard case .catchingUp(let state) = sessions[index].mode else { return }
        dropExpired(index, state, now: now)
        // One whose registrations are being loaded again must not be live with the old ones.
        let isAtHead = state.scanned >= feed.applied && !state.isReading
        var pass = HeldPass(
            complete: sessions[index].progress.sentThrough,
            limits: limits,
            room: room,
            now: now
        )
        pass.write(&sessions[index], state, isAtHead: isAtHead, into: &bytes)
        counters.deliveries += UInt64(pass.sent.count)
        counters.losses += pass.losses
        for entry in pass.sent {
            report.tally.add(.sent, sequence: entry.sequence, platform: entry.platform)
        }
        if isAtHead, state.held.isEmpty, sessions[index].loss?.isTold != false {
            enterIndex(index)
        }
    }

    /// Drops entries that expired while they waited, but not the rest of a group that was begun.
    private func dropExpired(_ index: SessionIndex, _ state: CatchUp, now: Now) {
        let begun = sessions[index].progress.openGroup
        state.held.removeAll { entry in
            guard isOver(entry.parcel.expires, now.time), !entry.parcel.isTransient,
                entry.sequence != begun
            else { return false }
            counters.unwritten.expired += 1
            countUnsent(.expired, entry.sequence, entry.platform, index)
            return true
        }
    }

    /// Whether a session could be given more at once.
    func canGoOn(_ index: SessionIndex) -> Bool {
        sessions[index].canGoOn(applied: feed.applied, limits)
    }
}
