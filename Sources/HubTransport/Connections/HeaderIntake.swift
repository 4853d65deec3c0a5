import HubVocabulary

/// Headers of balancers and fronts, which say in front of a stream who their client is.
struct HeaderIntake {
    let connections: Connections

    private var table: ConnectionTable { connections.table }

    /// Takes such a header off the input; false when the handshake cannot go on yet.
    ///
    /// A balancer's has to come. One of a front may, and is believed for what it proves. The deadline
    /// of the handshake holds for it too.
    func takeHeader(_ slot: UInt32) -> Bool {
        let isOptional = table[slot].flags.contains(.mayBeFront)
        let wire = connections.wire
        if isOptional, unsafe wire.input.first != ProxyHeader.firstByte { return begin(slot) }
        do throws(ProxyHeader.Fault) {
            // Borrowed for the call; nothing receives meanwhile.
            guard let read = try unsafe ProxyHeader.read(Span(_unsafeElements: wire.input)) else {
                table.record(of: slot).begunRecord = unsafe Array(wire.input)
                return false
            }
            guard !isOptional || connections.admission.fronts?.believes(read.header) == true else {
                return refuse(slot)
            }
            wire.consume(read.count)
            if !table[slot].flags.contains(.awaitsHeader) {
                connections.admission.forget(table.address(of: slot))
                table[slot].flags.insert(.awaitsHeader)
            }
            table.tell(read.header.peer(of: table.address(of: slot)), of: slot)
        } catch {
            return refuse(slot)
        }
        return begin(slot)
    }

    private func refuse(_ slot: UInt32) -> Bool {
        connections.endOpening(slot, .handshake(.proxyHeader, verification: 0))
        return false
    }

    /// Counts the address that is known now; false when it may have no more.
    private func begin(_ slot: UInt32) -> Bool {
        table[slot].flags.remove(.mayBeFront)
        guard table[slot].flags.contains(.awaitsHeader) else { return true }
        guard connections.admission.learn(table.address(of: slot)) else {
            connections.counters[.perAddress] += 1
            connections.leaveHandshake(slot)
            connections.die(slot)
            return false
        }
        table[slot].flags.remove(.awaitsHeader)
        return true
    }
}
