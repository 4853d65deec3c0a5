import HubRelay
import NIOCore

/// A request on its way; belongs to one event loop.
final class StreamRequest {
    let request: RelayRequest
    /// When it ends without an answer, and how long it had.
    let deadline: (at: NIODeadline, time: Duration)
    /// Times that a service did not process it.
    var unprocessed = 0
    private let answered: AnswerBatch
    private let ticket: LaneTicket?
    private(set) var isOver = false

    init(
        _ request: RelayRequest,
        _ ticket: LaneTicket?,
        within time: Duration,
        now: NIODeadline,
        _ answered: AnswerBatch
    ) {
        self.request = request
        self.ticket = ticket
        self.answered = answered
        deadline = (now + TimeAmount(time), time)
    }

    func isToHost(of other: StreamRequest) -> Bool {
        request.port == other.request.port && request.host == other.request.host
    }

    /// Ends it, once.
    func end(_ result: Result<RelayAnswer, CarrierFailure>) {
        guard !isOver else { return }
        isOver = true
        let left = deadline.at - NIODeadline.now()
        let took = deadline.time - .nanoseconds(left.nanoseconds)
        answered.add(CarriedAnswer(ticket: ticket, result: result, took: took))
    }
}
