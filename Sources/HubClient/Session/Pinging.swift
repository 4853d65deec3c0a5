import HubVocabulary

/// When the next PING is due, or until when its PONG must come.
struct Pinging {
    enum Round: Equatable {
        /// The hub was promised a frame within so many seconds of the last one.
        case promised(seconds: Int)
        /// A PING is unanswered.
        case awaitsPong(token: UInt32, due: Instant)
    }

    /// When something was sent last.
    var lastSent: Instant
    var round: Round

    /// When there is something to do.
    var due: Instant {
        switch round {
        case .promised(let seconds): lastSent + .seconds(seconds)
        case .awaitsPong(_, let due): due
        }
    }

    /// Whether no PONG came in time.
    func isUnanswered(at instant: Instant) -> Bool {
        switch round {
        case .promised: false
        case .awaitsPong(_, let due): instant >= due
        }
    }

    /// Whether a PING is due.
    func isDue(at instant: Instant) -> Bool {
        switch round {
        case .promised: instant >= due
        case .awaitsPong: false
        }
    }
}
