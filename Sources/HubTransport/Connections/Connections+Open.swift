import CLinux
import Glibc
package import HubVocabulary

// How connections begin: accepting, connecting, the handshake.
extension Connections {
    /// Takes a bounded number of waiting connections.
    func acceptWaiting() {
        for _ in 0..<limits.acceptsPerTurn {
            switch acceptor.next() {
            case .connection(let descriptor, let address): accept(descriptor, from: address)
            case .failed: continue
            case .nothing: return
            case .shortage:
                counters.acceptPauses += 1
                return acceptor.pause(until: acceptPauseEnd, in: poller)
            }
        }
    }

    func resumeAcceptingIfDue() {
        acceptor.resume(at: now.instant.nanoseconds, orAt: acceptPauseEnd, in: poller)
    }

    private var acceptPauseEnd: UInt64 {
        now.instant.deadline(in: limits.timers.acceptPauseMilliseconds)
    }

    private func accept(_ descriptor: Int32, from address: SocketAddress) {
        counters.accepted += 1
        let isProxied = admission.isProxy(address)
        // One of a front's may be for anybody.
        let isUncounted = isProxied || admission.fronts?.knows(address) == true
        if isUncounted || admission.hasPlace(for: address) {
            ShortPlaces(connections: self).makeRoom()
        }
        let counted = isUncounted ? nil : address
        if let refusal = admission.admit(counted, connections: table.occupied) {
            counters[refusal] += 1
            belfry_close(descriptor)
            return
        }
        // `admit` has refused connections above the limit, for which the table was made.
        guard let slot = table.claim(for: address) else {
            preconditionFailure("the table is smaller than the limit of connections")
        }
        table[slot].flags = isUncounted ? [.accepted, .awaitsHeader] : .accepted
        if admission.fronts != nil, !isProxied { table[slot].flags.insert(.mayBeFront) }
        begin(slot, descriptor: descriptor)
        table[slot].phase = .handshaking
        ShortPlaces(connections: self).lineUp(slot)
        guard let session = context?.makeSession(on: wire),
            listen(slot, for: BELFRY_READABLE)
        else {
            counters[.resources] += 1
            leaveHandshake(slot)
            return die(slot)
        }
        table[slot].session = session
    }

    /// Begins a connection of ours; `opened` or `connectFailed` follows.
    ///
    /// A numeric server name is looked for among the certificate's addresses.
    /// - Throws: `.tooManyConnections`, `.stopping`, `.system` when there is no descriptor left.
    package func connect(
        to address: SocketAddress,
        serverName: String,
        using context: TLSContext
    ) throws(TransportError) -> ConnectionID {
        if timers.stop != nil { throw .stopping }
        if table.occupied >= limits.connections { throw .tooManyConnections }
        var native = address.native
        var options = belfry_stream_options(limits)
        // Both are values of this frame that the call reads.
        let descriptor = unsafe belfry_connect(&native, &options)
        switch -descriptor {
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: throw .system("socket", code: -descriptor)
        default: break
        }
        guard let slot = table.claim(for: address) else { throw .tooManyConnections }
        counters.connecting += 1
        let record = table.record(of: slot)
        record.context = context
        record.serverName = serverName
        table[slot].flags = .uncounted
        begin(slot, descriptor: max(descriptor, -1))
        table[slot].phase = .connecting
        if descriptor < 0 {
            endOpening(slot, .unreachable(code: -descriptor))
        } else if !listen(slot, for: BELFRY_WRITABLE) {
            endOpening(slot, .unreachable(code: ENOMEM))
        }
        return table.id(slot)
    }

    private func begin(_ slot: UInt32, descriptor: Int32) {
        table[slot].descriptor = descriptor
        let due = now.instant.deadline(in: limits.timers.handshakeMilliseconds)
        table[slot].deadline = due
        timers.opening.append(table.id(slot), at: due)
    }

    private func listen(_ slot: UInt32, for interest: UInt32) -> Bool {
        table[slot].interest = UInt8(truncatingIfNeeded: interest)
        return poller.add(
            table[slot].descriptor,
            interest: interest,
            token: PollToken.connection(table.id(slot))
        )
    }

    /// TCP has decided about a connection of ours.
    func finishConnecting(_ slot: UInt32) {
        let code = belfry_socket_error(table[slot].descriptor)
        if code < 0 { return endOpening(slot, .unreachable(code: -code)) }
        guard let record = table[slot].record,
            let session = record.context?.makeSession(on: wire, expecting: record.serverName)
        else { return endOpening(slot, .handshake(.other, verification: 0)) }
        table[slot].session = session
        table[slot].phase = .handshaking
        updateInterest(slot)
        let start = beginSealing(slot)
        let step = table[slot].session.handshake()
        if case .failed(let failure, let verification) = step {
            handshakeFailed(slot, failure, verification: verification)
        }
        collect(slot, from: start)
    }

    /// Goes on with a handshake; true when the connection is open and may be read.
    func continueHandshake(_ slot: UInt32, _ handler: any ConnectionHandler) -> Bool {
        let start = beginSealing(slot)
        switch table[slot].session.handshake() {
        case .wantsInput:
            collect(slot, from: start)
            return false
        case .failed(let failure, let verification):
            handshakeFailed(slot, failure, verification: verification)
            collect(slot, from: start)
            return false
        case .done:
            collect(slot, from: start)
        }
        guard let peer = table[slot].session.peer(at: table.address(of: slot)) else {
            handshakeFailed(slot, .other, verification: 0)
            return false
        }
        leaveHandshake(slot)
        // Exporter value and certificate were taken above: nothing else asks the `SSL` object.
        if wire.cipher != nil, table[slot].flags.contains(.accepted),
            unsafe table[slot].session.handOver(to: table.layer(of: slot), on: wire)
        {
            counters.handedOver += 1
        }
        table[slot].record?.context = nil
        table[slot].record?.serverName = nil
        table.tidy(slot)
        table[slot].phase = .open
        table[slot].deadline = 0
        table[slot].flags.insert(.opened)
        if table[slot].flags.contains(.blocked) { armUnread(slot) }
        counters.opened += 1
        handler.opened(table.id(slot), peer: peer, now: now)
        return table[slot].phase == .open
    }

    /// Counts a failed handshake; whatever alert the session made is sent before the end.
    func handshakeFailed(_ slot: UInt32, _ failure: HandshakeFailure, verification: Int) {
        counters[failure] += 1
        leaveHandshake(slot)
        tellFailure(slot, .handshake(failure, verification: verification))
        table[slot].flags.insert(.sealed)
        beginClosing(slot)
    }

    /// Ends a connection that is not open yet, without a word to the peer.
    func endOpening(_ slot: UInt32, _ failure: ConnectFailure) {
        if case .handshake(let reason, _) = failure { counters[reason] += 1 }
        leaveHandshake(slot)
        tellFailure(slot, failure)
        die(slot)
    }

    /// Takes a connection out of the count of handshakes, once.
    func leaveHandshake(_ slot: UInt32) {
        guard table[slot].phase == .handshaking, table[slot].flags.contains(.accepted) else {
            return
        }
        admission.handshakeEnded()
    }

    private func tellFailure(_ slot: UInt32, _ failure: ConnectFailure) {
        guard table[slot].flags.isDisjoint(with: [.accepted, .announced]) else { return }
        table[slot].flags.formUnion([.announced, .untold])
        work.ended.append(.failed(table.id(slot), failure))
    }
}
