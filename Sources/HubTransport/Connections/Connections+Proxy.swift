import HubVocabulary

// Connections that come through a balancer or a front, which say in front of the stream who their
// client is.
extension Connections {
    /// Takes such a header off the input; false when the handshake cannot go on yet.
    ///
    /// A balancer's has to come. One of a front may, and is believed for what it proves. The deadline
    /// of the handshake holds for it too.
    func takeHeader(_ slot: UInt32) -> Bool {
        let isOptional = table[slot].flags.contains(.mayBeFront)
        if isOptional, unsafe wire.input.first != ProxyHeader.firstByte { return begin(slot) }
        do throws(ProxyHeader.Fault) {
            // Borrowed for the call; nothing receives meanwhile.
            guard let read = try unsafe ProxyHeader.read(Span(_unsafeElements: wire.input)) else {
                table.record(of: slot).begunRecord = unsafe Array(wire.input)
                return false
            }
            guard !isOptional || admission.fronts?.believes(read.header) == true else {
                endOpening(slot, .handshake(.proxyHeader, verification: 0))
                return false
            }
            wire.consume(read.count)
            if !table[slot].flags.contains(.awaitsHeader) {
                admission.forget(table.address(of: slot))
                table[slot].flags.insert(.awaitsHeader)
            }
            table.tell(read.header.peer(of: table.address(of: slot)), of: slot)
        } catch {
            endOpening(slot, .handshake(.proxyHeader, verification: 0))
            return false
        }
        return begin(slot)
    }

    /// Counts the address that is known now; false when it may have no more.
    private func begin(_ slot: UInt32) -> Bool {
        table[slot].flags.remove(.mayBeFront)
        guard table[slot].flags.contains(.awaitsHeader) else { return true }
        guard admission.learn(table.address(of: slot)) else {
            counters[.perAddress] += 1
            leaveHandshake(slot)
            die(slot)
            return false
        }
        table[slot].flags.remove(.awaitsHeader)
        return true
    }
}
