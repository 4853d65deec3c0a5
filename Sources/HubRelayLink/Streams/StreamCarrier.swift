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
    /// The connections to each host, and whether idle ones are to be ended in a while.
    private struct Hosts {
        var pools: [String: StreamPool] = [:]
        var isToSweep = false
    }

    private let hosts: NIOLoopBoundBox<Hosts>

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
        hosts = .makeBoxSendingValue(Hosts(), eventLoop: loop)
    }

    deinit { close() }

    /// Ends all connections; requests in flight fail.
    package func close() {
        let hosts = hosts
        loop.execute {
            for pool in hosts.value.pools.values { pool.close() }
            hosts.value.pools = [:]
        }
    }

    /// Sends a request and returns the service's answer.
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
                let span = StreamRequest.Time(within: time, now: .now())
                submit([StreamRequest(request, nil, span, answered)])
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
                let span = StreamRequest.Time(within: time, now: .now())
                submit(requests.map { StreamRequest($0.request, $0.ticket, span, answered) })
            }
        }
    }

    /// Those of one host leave together; most often there is one.
    private func submit(_ requests: [StreamRequest]) {
        guard let first = requests.first else { return }
        if requests.allSatisfy({ $0.isToHost(of: first) }) {
            return pool(first.request).submit(requests)
        }
        for group in Dictionary(grouping: requests, by: { $0.request.authority }).values {
            if let first = group.first { pool(first.request).submit(group) }
        }
    }

    private func pool(_ request: RelayRequest) -> StreamPool {
        let key = request.authority
        if let known = hosts.value.pools[key] { return known }
        if hosts.value.pools.count >= options.hostsMax { forgetOne() }
        let pool = StreamPool(
            host: request.host,
            port: request.port,
            loop: loop,
            options: options,
            secured: secured,
            service: service
        )
        hosts.value.pools[key] = pool
        // Those of a service with a fixed host last.
        if service == .chosen { Self.sweep(hosts, behind: TimeAmount(options.times.idle), loop) }
        return pool
    }

    /// Ends connections to hosts that have had nothing to do for a while, now and then.
    private static func sweep(
        _ hosts: NIOLoopBoundBox<Hosts>,
        behind time: TimeAmount,
        _ loop: any EventLoop
    ) {
        guard !hosts.value.isToSweep else { return }
        hosts.value.isToSweep = true
        loop.assumeIsolated().scheduleTask(in: time) {
            hosts.value.isToSweep = false
            let now = loop.now
            for (key, pool) in hosts.value.pools where pool.isIdle && now - pool.lastUse >= time {
                pool.close()
                hosts.value.pools[key] = nil
            }
            if !hosts.value.pools.isEmpty { sweep(hosts, behind: time, loop) }
        }
    }

    /// Ends the connections of the host that has had nothing to do for the longest.
    private func forgetOne() {
        let idle = hosts.value.pools.filter { $0.value.isIdle }
        guard let oldest = idle.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
        oldest.value.close()
        hosts.value.pools[oldest.key] = nil
    }
}
