import HubModel
import HubVocabulary

/// When a session that reads the log reads, writes and waits.
extension DeviceSession {
    /// Whether what waits has to leave before more is read: it is enough, or a GAP stands in front of
    /// some of it.
    ///
    /// A cut behind an entry must not be told with one in front of it: a device that
    /// stored the entry, and lost its connection then, would never hear of the first.
    func mustWrite(_ state: CatchUp, _ limits: SessionLimits) -> Bool {
        if isFull(state, limits) { return true }
        guard let loss, !loss.isTold, loss.check != nil, let last = state.held.last else {
            return false
        }
        return last.sequence > loss.through
    }

    /// Whether a window's worth of matches, and one notification more, waits already.
    func isFull(_ state: CatchUp, _ limits: SessionLimits) -> Bool {
        // With a single notification it is not known yet whether another follows.
        guard let first = state.held.first, first.sequence != state.held.last?.sequence else {
            return false
        }
        return state.held.count > Int(max(1, window.messagesMax))
            || state.held.reduce(0) { $0 + $1.parcel.bytes.count } > Int(limits.windowBytesMax)
    }

    /// A dozing device gets nothing until a high-priority match waits, a window's worth, or something
    /// behind a GAP.
    ///
    /// Source: rules B.11.
    func holdsBack(_ state: CatchUp, _ limits: SessionLimits) -> Bool {
        guard isDozing, progress.openGroup == nil, !mustWrite(state, limits) else { return false }
        return !state.held.contains { entry in
            entry.parcel.urgency == NotificationPriority.high.rawValue
        }
    }

    /// Whether it could be given more at once, without waiting for its device or a page.
    func canGoOn(applied: UInt64, _ limits: SessionLimits) -> Bool {
        guard case .catchingUp(let state) = mode, !state.isReading else { return false }
        if let first = state.held.first, !holdsBack(state, limits) {
            if progress.openGroup == first.sequence { return true }
            return window.admits(bytes: first.bytes)
        }
        if state.held.isEmpty, canTellLoss, !holdsBack(state, limits) { return true }
        return state.scanned < applied && !mustWrite(state, limits)
    }
}
