import HubVocabulary

/// Places for connections that have not proven who they are.
///
/// When places are short, the connection that has held its place longest gives way. An honest
/// handshake takes one trip there and back; one that stalls is found among the oldest.
struct ShortPlaces {
    let connections: Connections

    /// Puts an accepted connection at the end of both lines.
    func lineUp(_ slot: UInt32) {
        let connection = connections.table.id(slot)
        connections.admission.shaking.append(connection, isWaiting: isShaking)
        connections.admission.unproven.append(connection, isWaiting: isUnproven)
    }

    /// Closes the oldest connection without proof where a limit is reached.
    func makeRoom() {
        let limits = connections.limits
        if connections.admission.handshakes >= limits.handshakes,
            let oldest = connections.admission.shaking.popFirst(isWaiting: isShaking)
        {
            close(oldest)
        }
        // The place of one that ended is free at the end of the turn only.
        let isFull = connections.table.occupied >= limits.connections
        if isFull || connections.admission.unauthenticated >= limits.unauthenticated,
            let oldest = connections.admission.unproven.popFirst(isWaiting: isUnproven)
        {
            close(oldest)
        }
    }

    private func isShaking(_ connection: ConnectionID) -> Bool {
        let table = connections.table
        return table.slot(of: connection).map { table[$0].phase == .handshaking } ?? false
    }

    private func isUnproven(_ connection: ConnectionID) -> Bool {
        let table = connections.table
        guard let slot = table.slot(of: connection) else { return false }
        return table[slot].phase != .dead && !table[slot].flags.contains(.uncounted)
    }

    private func close(_ connection: ConnectionID) {
        guard let slot = connections.table.slot(of: connection) else { return }
        connections.counters.yielded += 1
        connections.leaveHandshake(slot)
        connections.uncount(slot)
        connections.announce(slot, .yielded)
        connections.die(slot)
    }
}
