import HubVocabulary

// Connections that come through a balancer, which says in front of the stream who its client is.
extension Connections {
    /// Takes the balancer's header off the input; false when the handshake cannot go on yet.
    ///
    /// The deadline of the handshake holds for it too.
    func takeHeader(_ slot: UInt32) -> Bool {
        do throws(ProxyHeader.Fault) {
            // Borrowed for the call; nothing receives meanwhile.
            guard let read = try unsafe ProxyHeader.read(Span(_unsafeElements: wire.input)) else {
                table.record(of: slot).begunRecord = unsafe Array(wire.input)
                return false
            }
            wire.consume(read.count)
            table.tell(read.header.peer(of: table.address(of: slot)), of: slot)
        } catch {
            endOpening(slot, .handshake(.proxyHeader, verification: 0))
            return false
        }
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
