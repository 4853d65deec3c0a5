import AsyncHTTPClient
package import HubRelay
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// HTTP/1.1 and HTTP/2 to hosts that clients choose, and to token endpoints.
///
/// Each host has connections of its own, to an address that was judged; so many hosts have some,
/// and the one that was used the longest ago gives way.
package final class WebCarrier: RelayCarrier {
    /// Bytes of an answer's headers at most.
    private static let headerBytesMax = 16_384

    private struct State {
        var hosts: [String: WebHost] = [:]
        var uses: UInt64 = 0
    }

    private let options: CarrierOptions
    private let reach: ServiceReach
    private let secured: TLSConfiguration
    private let state = Mutex(State())

    /// A carrier without connections.
    package init(_ options: CarrierOptions) {
        self.options = options
        reach = ServiceReach(options)
        secured = ServiceTrust.configuration(options)
    }

    package func send(
        _ request: RelayRequest,
        within time: Duration
    ) async throws(CarrierFailure) -> RelayAnswer {
        let host = try await host(request)
        do {
            return try await Self.exchange(request, host, within: time)
        } catch let failure {
            switch failure {
            // The address may be a dead one, or the connection: the next request looks the name up
            // again and opens another. Those that are in flight keep theirs.
            case .unreachable, .unanswered: forget(request, host)
            case .forbiddenAddress, .unprocessed, .lost, .refused, .oversized, .noStreams: break
            }
            throw failure
        }
    }

    /// Forgets all connections.
    package func close() { state.withLock { $0.hosts = [:] } }

    private static func key(_ request: RelayRequest) -> String { "\(request.host):\(request.port)" }

    /// The host's connections; its name is looked up anew after a while.
    private func host(_ request: RelayRequest) async throws(CarrierFailure) -> WebHost {
        let key = Self.key(request)
        let known = state.withLock { state -> WebHost? in
            state.uses += 1
            state.hosts[key]?.lastUse.store(state.uses, ordering: .relaxed)
            return state.hosts[key]
        }
        if let known, known.lookedUp.duration(to: .now) < options.times.lookUp { return known }
        let addresses = try await reach.addresses(host: request.host, port: request.port)
        if let known, addresses.contains(known.address) {
            let same = WebHost(known, lookedUp: .now)
            keep(same, key)
            return same
        }
        guard let address = addresses.randomElement() else {
            throw .unreachable("the name \(request.host) has no address")
        }
        let made = WebHost(
            name: request.host,
            address: address,
            secured: secured,
            connect: options.times.connect
        )
        keep(made, key)
        return made
    }

    private func keep(_ host: WebHost, _ key: String) {
        let gone = state.withLock { state -> WebHost? in
            state.uses += 1
            host.lastUse.store(state.uses, ordering: .relaxed)
            state.hosts[key] = host
            guard state.hosts.count > options.hostsMax else { return nil }
            let oldest = state.hosts.min {
                $0.value.lastUse.load(ordering: .relaxed)
                    < $1.value.lastUse.load(ordering: .relaxed)
            }
            return oldest.flatMap { state.hosts.removeValue(forKey: $0.key) }
        }
        // Its connections end outside of the lock.
        _ = consume gone
    }

    private func forget(_ request: RelayRequest, _ host: WebHost) {
        state.withLock { state in
            // The name may have been looked up again since the request went out.
            if state.hosts[Self.key(request)]?.hasConnections(of: host) == true {
                state.hosts[Self.key(request)] = nil
            }
        }
    }

    private static func exchange(
        _ request: RelayRequest,
        _ host: WebHost,
        within time: Duration
    ) async throws(CarrierFailure) -> RelayAnswer {
        var asked = HTTPClientRequest(url: host.origin + request.path)
        asked.method = .POST
        asked.headers = HTTPHeaders(request.headers.map { ($0.name, $0.value) })
        // A stand-in's port is not of the name that tokens are signed for.
        asked.headers.replaceOrAdd(name: "host", value: request.authority)
        asked.body = .bytes(ByteBuffer(bytes: request.body))
        let sent = asked
        do {
            return try await withThrowingTaskGroup(of: RelayAnswer.self) { group in
                group.addTask { try await answer(sent, host, within: time) }
                group.addTask {
                    try await Task.sleep(for: time)
                    throw CarrierFailure.unanswered("no answer in \(time)")
                }
                defer { group.cancelAll() }
                guard let first = try await group.next() else {
                    preconditionFailure("a group of two tasks has a result")
                }
                return first
            }
        } catch let failure as CarrierFailure {
            throw failure
        } catch {
            throw Self.failure(error, within: time)
        }
    }

    private static func answer(
        _ request: HTTPClientRequest,
        _ host: WebHost,
        within time: Duration
    ) async throws -> RelayAnswer {
        let response = try await host.client.execute(request, timeout: TimeAmount(time))
        let headers = response.headers.map { (name: $0.name.lowercased(), value: $0.value) }
        let size = headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        guard size <= headerBytesMax else { throw CarrierFailure.oversized }
        let body: ByteBuffer
        do {
            body = try await response.body.collect(upTo: RelayAnswer.bodyBytesMax)
        } catch is NIOTooManyBytesError {
            throw CarrierFailure.oversized
        }
        return RelayAnswer(
            status: Int(response.status.code),
            headers: headers,
            body: Array(body.readableBytesView)
        )
    }

    /// Errors before a request went out are told apart from those behind it.
    private static func failure(_ error: any Error, within time: Duration) -> CarrierFailure {
        if let error = error as? HTTPClientError {
            switch error {
            case .connectTimeout, .tlsHandshakeTimeout, .getConnectionFromPoolTimeout:
                return .unreachable("\(error.shortDescription)")
            // The client's own deadline is the same, and may be noticed first.
            case .deadlineExceeded: return .unanswered("no answer in \(time)")
            case .readTimeout, .writeTimeout:
                return .unanswered("\(error.shortDescription)")
            default: return .lost("\(error.shortDescription)")
            }
        }
        if error is NIOSSLError || error is BoringSSLError || error is NIOConnectionError
            || error is NIOSSLExtraError
        {
            return .unreachable("\(error)")
        }
        // More headers than the client reads.
        if case HTTPParserError.headerOverflow = error { return .oversized }
        return error is IOError ? .unreachable("\(error)") : .lost("\(error)")
    }
}
