import HubDelivery
import HubRules
import HubTransport
import HubVocabulary

/// Joins a reactor to a shard's loop: events in, ticks requested.
///
/// Owned by the reactor's thread; decides nothing.
final class ShardHandler: ConnectionHandler {
    private var loop: ShardLoop<ShardOrder>
    private var wiring: ShardWiring
    private let connections: Connections
    private var memory = FreeMemoryWatch()

    init(
        shard: Int,
        hubs: [ShardHub],
        policies: AccessPolicies,
        limits: SessionLimits,
        seed: UInt64,
        mailbox: ShardMailbox,
        connections: Connections
    ) {
        self.connections = connections
        wiring = ShardWiring(hubs: hubs, mailbox: mailbox, connections: connections)
        loop = ShardLoop(
            ShardCore(
                shard: shard,
                hubs: hubs.map(\.configuration),
                policies: policies,
                limits: limits,
                seed: seed,
                now: Clock.now
            )
        )
    }

    // MARK: Events

    func opened(_ connection: ConnectionID, peer: PeerInfo, now: Now) {
        let identity = PeerIdentity(
            address: DeviceID(high: peer.address.high, low: peer.address.low),
            isLoopback: peer.isLoopback,
            exporter: peer.exporter,
            certificate: DeviceCertificate(peer.certificate)
        )
        loop.core.opened(connection, peer: identity, now: now)
    }

    func received(
        _ bytes: Span<UInt8>,
        from connection: ConnectionID,
        now: Now
    ) {
        loop.core.receive(bytes, from: connection, now: now)
    }

    func writable(_ connection: ConnectionID, now: Now) {
        loop.core.writable(connection, now: now)
    }

    func keyWorn(_ connection: ConnectionID, now: Now) {
        loop.core.retire(connection, now: now)
    }

    func closed(_ connection: ConnectionID, cause: CloseCause, now: Now) {
        loop.core.closed(connection, now: now)
        // Without connections no turn would look any more at the memory that the last ones have
        // left.
        lookAtMemory(after: now)
    }

    func received(_ batch: [ShardMail<ShardOrder>], now: Now) {
        loop.receive(batch, in: &wiring, now: now)
    }

    func tick(now: Now) {
        loop.tick(in: &wiring, now: now)
        let counted = connections.statistics
        if memory.isDue(counted.opened + counted.closed, at: now.instant.nanoseconds),
            ProcessMemory.returnFreeMemory(atNanoseconds: now.instant.nanoseconds)
        {
            memory.hasReturned()
        }
        if memory.waits { lookAtMemory(after: now) }
    }

    private func lookAtMemory(after now: Now) {
        connections.requestTick(
            atNanoseconds: now.instant.nanoseconds + FreeMemoryWatch.quietNanoseconds
        )
    }

    func endOfTurn(now: Now) {
        if let due = loop.endTurn(in: &wiring, now: now) {
            connections.requestTick(atNanoseconds: due.nanoseconds)
        }
    }
}

extension DeviceCertificate {
    /// The certificate that the transport saw.
    fileprivate init(_ certificate: PeerCertificate) {
        switch certificate {
        case .none: self = .none
        case .untrusted: self = .untrusted
        case .trusted(let keyHash): self = .proves(DeviceID(keyHash: keyHash))
        }
    }
}

extension DeviceID {
    /// The device of a client certificate: the first half of its key's hash.
    ///
    /// Source: rules C.2.
    fileprivate init(keyHash: [UInt8]) {
        let words = keyHash.prefix(16).reduce(into: (high: UInt64(0), low: UInt64(0))) {
            words,
            byte in
            words.high = words.high << 8 | words.low >> 56
            words.low = words.low << 8 | UInt64(byte)
        }
        self.init(high: words.high, low: words.low)
    }
}
