import NIOCore

/// Notices a connection whose peer is gone without a word.
struct StreamHealth {
    enum Step {
        /// A PING is due.
        case ask
        /// The last PING was not answered.
        case dead
    }

    /// The times that timer and frames share.
    private final class State {
        var heardAt: NIODeadline
        var askedAt: NIODeadline?
        var timer: Scheduled<Void>?

        init(_ now: NIODeadline) { heardAt = now }
    }

    private let silence: TimeAmount
    private let patience: TimeAmount
    private let state = State(.now())

    init(_ times: CarrierTimes) {
        silence = TimeAmount(times.silence)
        patience = TimeAmount(times.ping)
    }

    /// When the service's last bytes came.
    var heardAt: NIODeadline { state.heardAt }

    /// Bytes came.
    func heard(at now: NIODeadline) {
        state.heardAt = now
        state.askedAt = nil
    }

    func stop() { state.timer?.cancel() }

    /// Calls `act` whenever a step is due, until `stop`.
    func start(on loop: any EventLoop, _ act: @escaping (Step) -> Void) {
        let due = state.askedAt.map { $0 + patience } ?? state.heardAt + silence
        state.timer = loop.assumeIsolated().scheduleTask(deadline: due) {
            let now = loop.now
            if let asked = state.askedAt, now >= asked + patience { return act(.dead) }
            if state.askedAt == nil, now >= state.heardAt + silence {
                state.askedAt = now
                act(.ask)
            }
            start(on: loop, act)
        }
    }
}
