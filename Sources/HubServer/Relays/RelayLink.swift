package import HubRelay

/// Brings requests to a push service; each gets its answer, or the verdict that stands for one.
package struct RelayLink: Sendable {
    /// Sends a request, which has an answer within the time or none.
    let send: @Sendable (RelayRequest, Duration) async -> Result<RelayAnswer, RelayVerdict>

    /// Makes a link of what sends.
    package init(
        send:
            @escaping @Sendable (RelayRequest, Duration) async -> Result<
                RelayAnswer, RelayVerdict
            >
    ) {
        self.send = send
    }
}
