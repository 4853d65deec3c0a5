package import HubRelay
import HubRelayLink

/// Brings requests to a push service; each gets its answer, or the verdict that stands for one.
package struct RelayLink: Sendable {
    /// Takes a lane's requests; their answers come to the receiver that the channel was opened with.
    typealias Channel = @Sendable ([CarriedRequest]) -> Void

    /// Sends a request, which has an answer within the time or none.
    let send: @Sendable (RelayRequest, Duration) async -> Result<RelayAnswer, RelayVerdict>
    /// Opens a way for many requests at once, each with an answer within the time or none.
    let open: @Sendable (Duration, @escaping @Sendable ([RelayReply]) -> Void) -> Channel

    /// Makes a link of what sends one request.
    package init(
        send:
            @escaping @Sendable (RelayRequest, Duration) async -> Result<
                RelayAnswer, RelayVerdict
            >
    ) {
        self.send = send
        open = { time, receive in
            { requests in
                for carried in requests {
                    Task {
                        let began = ContinuousClock.now
                        let answer = await send(carried.request, time)
                        let took = ContinuousClock.now - began
                        receive([
                            RelayReply(ticket: carried.ticket, answer: answer, took: took)
                        ])
                    }
                }
            }
        }
    }

    /// Makes a link over a carrier of many requests; `single` sends what is not a lane's.
    init(
        _ carrier: some BatchCarrier,
        single:
            @escaping @Sendable (RelayRequest, Duration) async -> Result<
                RelayAnswer, RelayVerdict
            >
    ) {
        send = single
        open = { time, receive in
            carrier.channel(within: time) { answers in
                receive(
                    answers.compactMap { answer in
                        answer.ticket.map { ticket in
                            RelayReply(
                                ticket: ticket,
                                answer: answer.result.mapError(\.verdict),
                                took: answer.took
                            )
                        }
                    }
                )
            }
        }
    }
}
