package import HubRelay

/// The end of one request.
package struct CarriedAnswer: Sendable {
    /// The request's ticket; nil for one that was sent by itself.
    package let ticket: LaneTicket?
    /// The service's answer, or why there is none.
    package let result: Result<RelayAnswer, CarrierFailure>
    /// From the carrier's taking the request.
    package let took: Duration
}
