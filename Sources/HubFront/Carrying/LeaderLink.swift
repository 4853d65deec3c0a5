import AsyncHTTPClient
import Foundation
import HubCluster
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// Connections to the REST interface of the node that leads.
///
/// They end when the lead moves: a leader that is frozen keeps no request of its front.
final class LeaderLink: Sendable {
    /// The fate of a request.
    enum Outcome: Sendable {
        case answered(HTTPClientResponse)
        /// Nothing of it was sent.
        case unreached
        /// It may have been carried out.
        case lost
        /// Nothing was sent, since all connections are taken.
        case crowded
        /// It is no request that can be sent.
        case invalid
    }

    private struct State {
        /// Who leads, as `follow` was told last.
        var leader: LeaderWatch.Leader?
        /// Made with the first request to that leader.
        var client: HTTPClient?
        /// Whether the last attempt came to nothing.
        var isFailing = false
        var isClosed = false
    }

    private let trusted: NIOSSLCertificate
    private let limits: FrontLimits
    private let onWay: @Sendable (LeaderWatch.Leader, _ isReached: Bool) -> Void
    private let state = Mutex(State())

    /// Trusts this authority alone; `onWay` hears when a leader is not reached any more, or again.
    init(
        trusted: NIOSSLCertificate,
        limits: FrontLimits,
        onWay: @escaping @Sendable (LeaderWatch.Leader, _ isReached: Bool) -> Void
    ) {
        self.trusted = trusted
        self.limits = limits
        self.onWay = onWay
    }

    deinit { end(state.withLock { $0.client }) }

    /// Goes to this leader from now on, and ends the connections to the one before.
    ///
    /// Where none leads, requests that are under way may still be answered.
    func follow(_ leader: LeaderWatch.Leader?) {
        guard let leader else { return }
        let ended = state.withLock { state -> HTTPClient? in
            guard state.leader != leader else { return nil }
            defer { state.client = nil }
            state.leader = leader
            state.isFailing = false
            return state.client
        }
        end(ended)
    }

    /// Ends all connections for good.
    func close() {
        let ended = state.withLock { state -> HTTPClient? in
            defer { state.client = nil }
            state.isClosed = true
            return state.client
        }
        end(ended)
    }

    /// Whether the leader could not be reached when it was last tried.
    var isFailing: Bool { state.withLock { $0.isFailing } }

    private func end(_ client: HTTPClient?) {
        guard let client else { return }
        // Requests that are under way there fail, and only a second shutdown would.
        Task.detached { try? await client.shutdown() }
    }

    /// Sends a request to a leader and waits for the beginning of its answer.
    ///
    /// - Throws: `CancellationError` when the request's own client is gone.
    func send(
        _ request: HTTPClientRequest,
        to leader: LeaderWatch.Leader,
        withinMilliseconds limit: UInt64
    ) async throws -> Outcome {
        guard let client = client(of: leader) else { return .unreached }
        do {
            let time = TimeAmount.milliseconds(Int64(limit))
            let answer = try await client.execute(request, timeout: time)
            note(leader, isFailing: false)
            return .answered(answer)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            guard !Task.isCancelled else { throw CancellationError() }
            let outcome = Self.outcome(of: error)
            switch outcome {
            case .invalid, .crowded: break
            case .answered, .unreached, .lost: note(leader, isFailing: true)
            }
            return outcome
        }
    }

    private func note(_ leader: LeaderWatch.Leader, isFailing: Bool) {
        let isNews = state.withLock { state in
            guard state.leader == leader, state.isFailing != isFailing else { return false }
            state.isFailing = isFailing
            return true
        }
        if isNews { onWay(leader, !isFailing) }
    }

    /// The fate of a request with an error.
    private static func outcome(of error: any Error) -> Outcome {
        switch error {
        case is NIOConnectionError, is NIOSSLExtraError, NIOSSLError.handshakeFailed:
            return .unreached
        case let error as IOError where error.errnoCode == ECONNREFUSED: return .unreached
        case let error as HTTPClientError:
            if error == .getConnectionFromPoolTimeout { return .crowded }
            if unreached.contains(error) { return .unreached }
            return invalid.contains(error.shortDescription) ? .invalid : .lost
        default: return .lost
        }
    }

    /// Errors before the first byte of a request.
    private static let unreached: [HTTPClientError] = [
        .connectTimeout, .tlsHandshakeTimeout, .alreadyShutdown,
    ]
    /// Errors of the request itself.
    private static let invalid: [String] =
        [
            HTTPClientError.invalidURL, .emptyHost, .emptyScheme, .unsupportedScheme("https"),
            .invalidHeaderFieldNames([]), .invalidHeaderFieldValues([]), .traceRequestWithBody,
        ].map(\.shortDescription)

    private func client(of leader: LeaderWatch.Leader) -> HTTPClient? {
        state.withLock { state in
            // A request that looked before the lead moved goes nowhere.
            guard state.leader == leader, !state.isClosed else { return nil }
            if let client = state.client { return client }
            let made = HTTPClient(
                eventLoopGroupProvider: .singleton,
                configuration: configuration(of: leader)
            )
            state.client = made
            return made
        }
    }

    private func configuration(of leader: LeaderWatch.Leader) -> HTTPClient.Configuration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv13
        tls.trustRoots = .certificates([trusted])
        tls.certificateVerification = .fullVerification
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: tls,
            redirectConfiguration: .disallow
        )
        // One request after another on each: its answer is passed on as it comes.
        configuration.httpVersion = .http1Only
        configuration.dnsOverride = [NodeCertificate.name: leader.rest.host]
        let connect = TimeAmount.milliseconds(Int64(limits.connectMilliseconds))
        // An answer that stops on its way has as long as one that does not begin.
        let read = TimeAmount.milliseconds(Int64(limits.patientMilliseconds))
        configuration.timeout = HTTPClient.Configuration.Timeout(connect: connect, read: read)
        // A leader closes connections that are silent for a minute.
        configuration.connectionPool.idleTimeout = .seconds(30)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit =
            limits.leaderConnections
        // A request looks who leads before its next attempt.
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }
}
