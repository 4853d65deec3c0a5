package import HubRelay
import NIOCore
import NIOPosix
import NIOSSL

/// HTTP/2 to push services.
///
/// One carrier belongs to one credential: Apple allows one team on a connection, and a changed key
/// needs new connections.
package final class StreamCarrier: BatchCarrier {
    /// The service, which decides what a header table may keep.
    package enum Service: Sendable {
        /// Path and token stay out of it.
        case apple
        /// Path and token are the same in each request.
        case firebase
        /// A host that a registration chose; the token is the same in each request.
        case chosen
    }

    private let loop: any EventLoop
    private let options: CarrierOptions
    private let secured: NIOSSLContext
    private let service: Service
    private let pools: NIOLoopBoundBox<[String: StreamPool]>

    /// A carrier without connections; `certificate` proves the client in TLS.
    ///
    /// - Throws: `.unreachable` when the trusted certificates cannot be read.
    package init(
        _ service: Service,
        _ options: CarrierOptions,
        certificate: ClientCertificate? = nil
    ) throws(CarrierFailure) {
        var configuration = ServiceTrust.configuration(options)
        // A chosen host may speak HTTP/1.1 alone, and says so instead of refusing the handshake.
        configuration.applicationProtocols = service == .chosen ? ["h2", "http/1.1"] : ["h2"]
        if let certificate {
            configuration.certificateChain = certificate.chain.map { .certificate($0) }
            configuration.privateKey = .privateKey(certificate.key)
        }
        do { secured = try NIOSSLContext(configuration: configuration) } catch {
            throw .unreachable("TLS: \(error)")
        }
        self.service = service
        self.options = options
        loop = MultiThreadedEventLoopGroup.singleton.next()
        pools = .makeBoxSendingValue([:], eventLoop: loop)
    }

    deinit { close() }

    /// Ends all connections; requests in flight fail.
    package func close() {
        let pools = pools
        loop.execute {
            for pool in pools.value.values { pool.close() }
            pools.value = [:]
        }
    }

    package func send(
        _ request: RelayRequest,
        within time: Duration
    ) async throws(CarrierFailure) -> RelayAnswer {
        try await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<RelayAnswer, CarrierFailure>, Never>) in
            loop.execute { [self] in
                // One request has one answer.
                let answered = AnswerBatch(loop) { answers in
                    for answer in answers { continuation.resume(returning: answer.result) }
                }
                submit([(request, nil)], within: time, answered)
            }
        }.get()
    }

    /// A channel for many requests at once, each with an answer within the time or none.
    ///
    /// `answered` gets the answers of a turn together, on the carrier's loop.
    package func channel(
        within time: Duration,
        answered: @escaping @Sendable ([CarriedAnswer]) -> Void
    ) -> @Sendable ([CarriedRequest]) -> Void {
        let loop = loop
        let batch = NIOLoopBoundBox<AnswerBatch?>.makeEmptyBox(
            valueType: AnswerBatch.self,
            eventLoop: loop
        )
        return { [self] requests in
            loop.execute { [self] in
                let answered = batch.value ?? AnswerBatch(loop, answered)
                batch.value = answered
                submit(requests.map { ($0.request, $0.ticket) }, within: time, answered)
            }
        }
    }

    private func submit(
        _ requests: [(request: RelayRequest, ticket: LaneTicket?)],
        within time: Duration,
        _ answered: AnswerBatch
    ) {
        let now = NIODeadline.now()
        // Those of one host leave together; most often there is one.
        for (_, group) in Dictionary(grouping: requests, by: { $0.request.authority }) {
            guard let first = group.first else { continue }
            pool(first.request).submit(
                group.map {
                    StreamRequest($0.request, $0.ticket, within: time, now: now, answered)
                }
            )
        }
    }

    private func pool(_ request: RelayRequest) -> StreamPool {
        let key = request.authority
        if let known = pools.value[key] { return known }
        if pools.value.count >= options.hostsMax { forgetOne() }
        let pool = StreamPool(
            host: request.host,
            port: request.port,
            loop: loop,
            options: options,
            secured: secured,
            service: service
        )
        pools.value[key] = pool
        return pool
    }

    /// Ends the connections of the host that has had nothing to do for the longest.
    private func forgetOne() {
        let idle = pools.value.filter { $0.value.isIdle }
        guard let oldest = idle.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
        oldest.value.close()
        pools.value[oldest.key] = nil
    }
}
