package import HubRelay
import Synchronization

/// Requests to hosts that registrations choose: over streams of ours, or by HTTP/1.1 to a host that
/// speaks no HTTP/2.
package final class ChosenCarrier: BatchCarrier {
    /// Hosts without HTTP/2 that are remembered at most.
    private static let plainMax = 1_000
    /// A host without HTTP/2 is asked for it again after so long.
    private static let plainTime: Duration = .seconds(3_600)

    private let streams: StreamCarrier
    private let web: WebCarrier
    /// Since when hosts are known to speak no HTTP/2.
    private let plain = Mutex<[String: ContinuousClock.Instant]>([:])

    /// A carrier without connections.
    ///
    /// - Throws: `.unreachable` when the trusted certificates cannot be read.
    package init(_ options: CarrierOptions) throws(CarrierFailure) {
        streams = try StreamCarrier(.chosen, options)
        web = WebCarrier(options)
    }

    /// Sends a request and returns the service's answer.
    package func send(
        _ request: RelayRequest,
        within time: Duration
    ) async throws(CarrierFailure) -> RelayAnswer {
        if !isPlain(request.authority) {
            do throws(CarrierFailure) {
                return try await streams.send(request, within: time)
            } catch {
                guard case .noStreams(let host) = error else { throw error }
                remember(host)
            }
        }
        return try await web.send(request, within: time)
    }

    package func channel(
        within time: Duration,
        answered: @escaping @Sendable ([CarriedAnswer]) -> Void
    ) -> @Sendable ([CarriedRequest]) -> Void {
        let fast = streams.channel(within: time) { [self] answers in
            answered(answers.map(passedOn))
        }
        return { [self] requests in
            var left: [CarriedRequest] = []
            for carried in requests {
                guard isPlain(carried.request.authority) else {
                    left.append(carried)
                    continue
                }
                Task {
                    let began = ContinuousClock.now
                    let result: Result<RelayAnswer, CarrierFailure>
                    do throws(CarrierFailure) {
                        result = .success(try await web.send(carried.request, within: time))
                    } catch { result = .failure(error) }
                    let took = ContinuousClock.now - began
                    answered([CarriedAnswer(ticket: carried.ticket, result: result, took: took)])
                }
            }
            if !left.isEmpty { fast(left) }
        }
    }

    /// A lane sends again what was not processed, and then the host is known.
    private func passedOn(_ answer: CarriedAnswer) -> CarriedAnswer {
        guard case .failure(.noStreams(let host)) = answer.result else { return answer }
        remember(host)
        let result = Result<RelayAnswer, CarrierFailure>.failure(.unprocessed("no HTTP/2"))
        return CarriedAnswer(ticket: answer.ticket, result: result, took: answer.took)
    }

    private func isPlain(_ host: String) -> Bool {
        plain.withLock { hosts in
            guard let since = hosts[host] else { return false }
            if since.duration(to: .now) < Self.plainTime { return true }
            hosts[host] = nil
            return false
        }
    }

    private func remember(_ host: String) {
        plain.withLock { hosts in
            if hosts.count >= Self.plainMax { hosts.removeAll(keepingCapacity: true) }
            hosts[host] = .now
        }
    }
}
