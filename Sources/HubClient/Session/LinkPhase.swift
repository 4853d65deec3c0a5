import HubVocabulary

/// How far a session is on its connection; each phase has what is valid in it.
///
///        idle ──open──▶ opening ──WELCOME──▶ ready ──GOAWAY, fault, leave──▶ leaving
///         ▲                └──────ERROR, fault, leave──────────────────────────┤
///         │                                                         all is stored
///         └────────────────────connectionEnded────────────── closing ◀─────────┘
enum LinkPhase: ~Copyable {
    /// There is no connection.
    case idle
    /// HELLO is said.
    case opening(OpeningLink)
    /// The hub has accepted the session.
    case ready(ReadyLink)
    /// The session ends once all that came is stored; nothing more is read.
    case leaving(Departure, from: ReadyLink?)
    /// All is said; the driver closes the connection.
    case closing(openedAt: Instant?)

    /// The session was accepted, and nothing ends it yet.
    var isReady: Bool {
        switch self {
        case .ready: true
        case .idle: false
        case .opening: false
        case .leaving: false
        case .closing: false
        }
    }

    /// When WELCOME came; nil before.
    var openedAt: Instant? {
        switch self {
        case .idle: nil
        case .opening: nil
        case .ready(let link): link.openedAt
        case .leaving(_, let link): link?.openedAt
        case .closing(let openedAt): openedAt
        }
    }

    /// When `tick` has something to do.
    func nextDeadline(_ core: borrowing SessionCore) -> Instant? {
        switch self {
        case .idle: nil
        case .opening(let link): link.nextDeadline
        case .ready(let link): link.nextDeadline(core)
        case .leaving: nil
        case .closing: nil
        }
    }

    /// Begins to wait for WELCOME.
    mutating func open(_ link: OpeningLink) {
        switch consume self {
        case .idle: self = .opening(link)
        case .opening: preconditionFailure("open while opening")
        case .ready: preconditionFailure("open while ready")
        case .leaving: preconditionFailure("open while leaving")
        case .closing: preconditionFailure("open while closing")
        }
    }

    /// Leaves once everything received is stored; the first reason counts.
    mutating func end(_ departure: Departure) {
        switch consume self {
        case .idle: self = .idle
        case .opening: self = .leaving(departure, from: nil)
        case .ready(let link): self = .leaving(departure, from: link)
        case .leaving(let first, let link): self = .leaving(first, from: link)
        case .closing(let openedAt): self = .closing(openedAt: openedAt)
        }
    }

    /// Uses the link where the session is accepted and stays; does nothing in other phases.
    mutating func whenReady<Failure: Error>(
        _ body: (inout ReadyLink) throws(Failure) -> Void
    ) throws(Failure) {
        switch consume self {
        case .idle: self = .idle
        case .opening(let link): self = .opening(link)
        case .ready(var link):
            do throws(Failure) {
                try body(&link)
                self = .ready(link)
            } catch {
                self = .ready(link)
                throw error
            }
        case .leaving(let departure, let link): self = .leaving(departure, from: link)
        case .closing(let openedAt): self = .closing(openedAt: openedAt)
        }
    }

    /// Does what is due.
    mutating func tick(_ core: inout SessionCore) {
        switch consume self {
        case .idle: self = .idle
        case .opening(let link):
            if let departure = link.overdue(&core) {
                self = .leaving(departure, from: nil)
            } else {
                self = .opening(link)
            }
        case .ready(var link):
            if let departure = link.overdue(&core) {
                self = .leaving(departure, from: link)
            } else {
                link.tick(&core)
                self = .ready(link)
            }
        case .leaving(let departure, let link): self = .leaving(departure, from: link)
        case .closing(let openedAt): self = .closing(openedAt: openedAt)
        }
    }

    /// The driver has stored everything: it may be acknowledged.
    mutating func committed(_ core: inout SessionCore) {
        switch consume self {
        case .idle: self = .idle
        case .opening(let link): self = .opening(link)
        case .ready(var link):
            link.stored(&core)
            self = .ready(link)
        case .leaving(let departure, var link):
            if !departure.followsOwnError { link?.acknowledge(&core) }
            self = .leaving(departure, from: link)
        case .closing(let openedAt): self = .closing(openedAt: openedAt)
        }
    }

    /// The driver could not store: nothing of it is acknowledged, and the session ends.
    mutating func commitFailed() {
        switch consume self {
        case .idle: self = .idle
        case .opening: self = .leaving(.storeFailed, from: nil)
        case .ready(let link): self = .leaving(.storeFailed, from: link)
        case .leaving(_, let link): self = .leaving(.storeFailed, from: link)
        case .closing(let openedAt): self = .closing(openedAt: openedAt)
        }
    }

    /// Ends an input: notes when something was said, and closes when nothing waits to be stored.
    mutating func finishInput(_ core: inout SessionCore) {
        switch consume self {
        case .idle: self = .idle
        case .opening(let link): self = .opening(link)
        case .ready(var link):
            if !core.output.isEmpty { link.pinging.lastSent = core.now.instant }
            self = .ready(link)
        case .leaving(let departure, var link):
            guard !core.needsCommit else {
                self = .leaving(departure, from: link)
                return
            }
            // What came in earlier reads and waits for its acknowledgement; Protocol [C-2].
            if case .goaway = departure { link?.acknowledge(&core) }
            core.actions.append(.close(departure))
            self = .closing(openedAt: link?.openedAt)
        case .closing(let openedAt): self = .closing(openedAt: openedAt)
        }
    }
}
