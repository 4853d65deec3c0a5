import AsyncHTTPClient
import Foundation
import HubCluster
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// Connections to the REST interface of whoever leads.
///
/// They end when the lead moves: a leader that is frozen keeps no request of its front.
final class LeaderLink: Sendable {
    /// What became of a request.
    enum Outcome: Sendable {
        case answered(HTTPClientResponse)
        /// Nothing of it was sent.
        case unreached
        /// It may have been carried out.
        case lost
    }

    private struct Route: Sendable {
        let leader: LeaderWatch.Leader
        let client: HTTPClient
    }

    private struct State {
        var route: Route?
        var isClosed = false
    }

    private let trusted: NIOSSLCertificate
    private let limits: FrontLimits
    private let state = Mutex(State())

    /// Trusts this authority alone.
    init(trusted: NIOSSLCertificate, limits: FrontLimits) {
        self.trusted = trusted
        self.limits = limits
    }

    deinit { follow(nil) }

    /// Ends the connections to every leader but this one.
    func follow(_ leader: LeaderWatch.Leader?) {
        let ended = state.withLock { state -> HTTPClient? in
            guard let route = state.route, route.leader != leader else { return nil }
            state.route = nil
            return route.client
        }
        guard let ended else { return }
        // Requests that are under way there fail, and only a second shutdown would.
        Task.detached { try? await ended.shutdown() }
    }

    /// Ends all connections for good.
    func close() {
        state.withLock { $0.isClosed = true }
        follow(nil)
    }

    /// Sends a request to a leader and waits for the beginning of its answer.
    ///
    /// - Throws: `CancellationError` when the request's own client is gone.
    func send(
        _ request: HTTPClientRequest,
        to leader: LeaderWatch.Leader
    ) async throws -> Outcome {
        guard let client = client(of: leader) else { return .unreached }
        do {
            let limit = TimeAmount.milliseconds(Int64(limits.answerMilliseconds))
            return .answered(try await client.execute(request, timeout: limit))
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            guard !Task.isCancelled else { throw CancellationError() }
            return Self.isUnreached(error) ? .unreached : .lost
        }
    }

    /// The address of a path at whoever leads.
    static func url(_ target: String, at leader: LeaderWatch.Leader) -> String {
        "https://\(NodeCertificate.name):\(leader.rest.port)\(target)"
    }

    /// Whether an error comes before the first byte of a request.
    private static func isUnreached(_ error: any Error) -> Bool {
        switch error {
        case is NIOConnectionError, is NIOSSLExtraError, NIOSSLError.handshakeFailed: true
        case let error as HTTPClientError:
            [
                .connectTimeout, .tlsHandshakeTimeout, .getConnectionFromPoolTimeout,
                .alreadyShutdown,
            ].contains(error)
        case let error as IOError:
            error.errnoCode == ECONNREFUSED
        default: false
        }
    }

    private func client(of leader: LeaderWatch.Leader) -> HTTPClient? {
        let (client, ended) = state.withLock { state -> (HTTPClient?, HTTPClient?) in
            if let route = state.route, route.leader == leader { return (route.client, nil) }
            guard !state.isClosed else { return (nil, nil) }
            let made = HTTPClient(
                eventLoopGroupProvider: .singleton,
                configuration: configuration(of: leader)
            )
            let ended = state.route?.client
            state.route = Route(leader: leader, client: made)
            return (made, ended)
        }
        if let ended { Task.detached { try? await ended.shutdown() } }
        return client
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
        configuration.timeout = HTTPClient.Configuration.Timeout(connect: connect)
        // A leader closes connections that are silent for a minute.
        configuration.connectionPool.idleTimeout = .seconds(30)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit =
            limits.leaderConnections
        // Whoever waits for a leader looks who leads before the next attempt.
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }
}
