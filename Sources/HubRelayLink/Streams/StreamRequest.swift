import HubRelay
import NIOCore

/// A request on its way; belongs to one event loop.
final class StreamRequest {
    /// When it came, and when it ends without an answer; the same for all that came together.
    struct Time {
        let began: NIODeadline
        let deadline: (at: NIODeadline, time: Duration)

        init(within time: Duration, now: NIODeadline) {
            began = now
            deadline = (now + TimeAmount(time), time)
        }
    }

    let request: RelayRequest
    private let time: Time
    /// When it ends without an answer, and how long it had.
    var deadline: (at: NIODeadline, time: Duration) { time.deadline }
    /// Times that a service did not process it.
    var unprocessed = 0
    private let answered: AnswerBatch
    private let ticket: LaneTicket?
    private(set) var isOver = false

    init(
        _ request: RelayRequest,
        _ ticket: LaneTicket?,
        _ time: Time,
        _ answered: AnswerBatch
    ) {
        self.request = request
        self.ticket = ticket
        self.answered = answered
        self.time = time
    }

    func isToHost(of other: StreamRequest) -> Bool {
        request.port == other.request.port && request.host == other.request.host
    }

    /// Ends it, once, at the time when its answer came.
    func end(_ result: Result<RelayAnswer, CarrierFailure>, at now: NIODeadline = .now()) {
        guard !isOver else { return }
        isOver = true
        let took = Duration.nanoseconds((now - time.began).nanoseconds)
        answered.add(CarriedAnswer(ticket: ticket, result: result, took: took))
    }
}
