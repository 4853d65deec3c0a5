/// The end of a lane's request: the service's answer, or the verdict that stands for a missing one.
package struct RelayReply: Sendable {
    /// The request's ticket.
    package let ticket: LaneTicket
    /// The answer.
    package let answer: Result<RelayAnswer, RelayVerdict>
    /// From the request's way out to its end.
    package let took: Duration

    /// Makes one of its parts.
    package init(
        ticket: LaneTicket,
        answer: Result<RelayAnswer, RelayVerdict>,
        took: Duration = .zero
    ) {
        self.ticket = ticket
        self.answer = answer
        self.took = took
    }
}
