/// The end of a lane's request: the service's answer, or the verdict that stands for a missing one.
package struct RelayReply: Sendable {
    /// The request's ticket.
    package let ticket: LaneTicket
    /// The answer.
    package let answer: Result<RelayAnswer, RelayVerdict>

    /// Makes one of its parts.
    package init(ticket: LaneTicket, answer: Result<RelayAnswer, RelayVerdict>) {
        self.ticket = ticket
        self.answer = answer
    }
}
