import CLinux
import HubVocabulary

// The parts of a turn that no single event causes.
extension Connections {
    /// How long the next wait may be; -1 for ever.
    func waitMilliseconds() -> Int32 {
        guard work.isEmpty else { return 0 }
        let next = min(
            timers.next(hasConnections: table.occupied > 0),
            acceptor.resumesAt ?? .max
        )
        if next == .max { return -1 }
        let current = Clock.now.instant.nanoseconds
        guard next > current else { return 0 }
        return Int32(min(60_000, (next - current + 999_999) / 1_000_000))
    }

    /// Makes the calls that the handler is owed at any time.
    func runOwed(_ handler: any ConnectionHandler) {
        tellWritable(handler)
        tellWorn(handler)
    }

    /// Everything that is due by the clock.
    func runDue(_ handler: any ConnectionHandler) {
        expireOpening()
        expireClosing()
        expireUnread()
        resumeAcceptingIfDue()
        let isDue = timers.takeTick(
            at: now.instant.nanoseconds,
            hasConnections: table.occupied > 0,
            every: limits.timers.tickMilliseconds
        )
        if isDue { handler.tick(now: now) }
    }

    /// Whether the reactor has nothing left to do.
    var isFinished: Bool { timers.stop != nil && table.occupied == 0 && work.ended.isEmpty }

    /// Ends what is left when the time to stop is over.
    func endAllIfStopped() {
        guard let due = timers.stop, due <= now.instant.nanoseconds else { return }
        for slot in 0..<table.count { end(slot, .stopped) }
    }

    private func tellWritable(_ handler: any ConnectionHandler) {
        guard !work.owed.isEmpty else { return }
        let batch = work.owed
        work.owed = []
        for connection in batch {
            guard let slot = table.slot(of: connection), table[slot].phase == .open,
                table[slot].flags.contains(.owesWritable),
                !table[slot].flags.contains(.blocked)
            else { continue }
            table[slot].flags.remove(.owesWritable)
            handler.writable(connection, now: now)
        }
    }

    private func tellWorn(_ handler: any ConnectionHandler) {
        guard !work.worn.isEmpty else { return }
        let batch = work.worn
        work.worn = []
        for connection in batch {
            guard let slot = table.slot(of: connection), table[slot].phase == .open else {
                continue
            }
            handler.keyWorn(connection, now: now)
        }
    }

    private func expireOpening() {
        while let connection = timers.opening.popDue(at: now.instant.nanoseconds) {
            guard let slot = table.slot(of: connection) else { continue }
            switch table[slot].phase {
            case .connecting, .handshaking:
                endOpening(slot, .handshake(.timeout, verification: 0))
            case .free, .open, .closing, .lingering, .dead:
                continue
            }
        }
    }

    private func expireClosing() {
        while let connection = timers.closing.popDue(at: now.instant.nanoseconds) {
            guard let slot = table.slot(of: connection) else { continue }
            if table[slot].phase == .closing || table[slot].phase == .lingering { die(slot) }
        }
    }

    private func expireUnread() {
        while let connection = timers.unread.popDue(at: now.instant.nanoseconds) {
            guard let slot = table.slot(of: connection) else { continue }
            table[slot].flags.remove(.inUnreadQueue)
            guard table[slot].phase == .open, table[slot].flags.contains(.blocked) else {
                continue
            }
            if table[slot].deadline <= now.instant.nanoseconds {
                end(slot, .unreadOutput)
            } else {
                // The peer read something since: its time was extended.
                table[slot].flags.insert(.inUnreadQueue)
                timers.unread.append(connection, at: table[slot].deadline)
            }
        }
    }
}
