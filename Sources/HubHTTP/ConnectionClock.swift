package import NIOCore

/// When one HTTP connection ends, by what its peer and its server did so far.
///
/// It counts bytes, not requests: bytes of the peer count as asking until something is answered. So
/// it needs no knowledge of HTTP, nor of who is at the other end.
package struct ConnectionClock: Sendable {
    /// The state, and since when it lasts.
    private enum Phase {
        case opening(since: NIODeadline)
        /// Something was asked for; `heard` is the last byte of it.
        case asked(since: NIODeadline, heard: NIODeadline)
        case idle(since: NIODeadline)
    }

    private let times: ConnectionTimes
    private var phase: Phase
    /// Since when the peer leaves unread what was written.
    private var blockedAt: NIODeadline?
    /// When the connection ends in any case.
    private var endsAt: NIODeadline?

    /// The clock of a connection that begins now.
    package init(_ times: ConnectionTimes, openedAt now: NIODeadline) {
        self.times = times
        phase = .opening(since: now)
    }

    /// The TLS handshake is over.
    package mutating func secured(at now: NIODeadline) {
        if case .opening = phase, times.opensWithHandshake { phase = .idle(since: now) }
    }

    /// Bytes came from the peer.
    package mutating func heard(at now: NIODeadline) {
        switch phase {
        case .opening, .idle: phase = .asked(since: now, heard: now)
        case .asked(let since, _): phase = .asked(since: since, heard: now)
        }
    }

    /// Bytes were written to the peer.
    package mutating func answered(at now: NIODeadline) { phase = .idle(since: now) }

    /// The peer has stopped to read what is written, or reads again.
    ///
    /// Answers come in pieces, and each one that the peer takes begins its time anew.
    package mutating func setBlocked(_ isBlocked: Bool, at now: NIODeadline) {
        blockedAt = isBlocked ? blockedAt ?? now : nil
    }

    /// The connection ends after the answer that comes next.
    package mutating func leave(at now: NIODeadline) { endsAt = endsAt ?? now + times.linger }

    /// The server wants to stop: a connection that never began ends at once.
    package mutating func quiesce(at now: NIODeadline) {
        guard let closing = times.closing else { return }
        if case .opening = phase { endsAt = now } else { endsAt = endsAt ?? now + closing }
    }

    /// When the connection ends unless something happens before.
    package var deadline: NIODeadline {
        let blocked = blockedAt.map { $0 + times.unread }
        let state: NIODeadline? =
            switch phase {
            case .opening(let since): since + times.opening
            case .asked(let since, let heard):
                min(since + times.request, times.pause.map { heard + $0 } ?? .distantFuture)
            // A peer that reads an answer is silent meanwhile, and has the time for that.
            case .idle(let since): blocked == nil ? since + times.silence : nil
            }
        return [endsAt, blocked, state].compactMap(\.self).min() ?? .distantFuture
    }
}
