package import HubRelay

/// Brings requests to a push service over real connections.
package protocol RelayCarrier: Sendable {
    /// Sends a request and returns the service's answer, whatever its status.
    ///
    /// Redirects are not followed, and nothing is kept between requests but connections.
    /// - Throws: when there is no answer within the time.
    func send(
        _ request: RelayRequest,
        within time: Duration
    ) async throws(CarrierFailure) -> RelayAnswer
}
