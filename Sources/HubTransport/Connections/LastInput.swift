import Glibc

/// Bytes of connections that are ending, which are read to be thrown away.
struct LastInput {
    let connections: Connections

    /// Throws received bytes of an ending connection away until the peer has ended too.
    ///
    /// A peer that ends its half may still read ours: what is left is sent to it first.
    func discard(_ slot: UInt32) {
        let (table, wire) = (connections.table, connections.wire)
        let count = wire.receive(from: table[slot].descriptor)
        wire.dropInput()
        if count > 0 {
            connections.counters.bytesIn += UInt64(count)
        } else if count == 0, table[slot].phase == .closing,
            !table[slot].flags.contains(.inputEnded)
        {
            table[slot].flags.insert(.inputEnded)
            connections.updateInterest(slot)
        } else if -count != Int(EAGAIN) {
            connections.die(slot)
        }
    }
}
