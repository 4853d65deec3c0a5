package import HubRelay

/// One of many requests that a carrier is given at once.
package struct CarriedRequest: Sendable {
    /// The lane's ticket.
    package let ticket: LaneTicket
    /// The request.
    package let request: RelayRequest

    /// Makes one of its parts.
    package init(ticket: LaneTicket, request: RelayRequest) {
        self.ticket = ticket
        self.request = request
    }
}
