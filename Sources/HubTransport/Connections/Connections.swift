import CLinux
package import HubVocabulary

/// The connections of one reactor and everything a handler can do with them.
///
/// Lives on its reactor's thread and is handed to the handler there. Methods never call the
/// handler back; what they cause is told later in the turn. A name whose connection is gone is
/// not an error anywhere: nothing happens, or the result says `closed`.
@safe package final class Connections {
    /// The limits in force.
    package let limits: TransportLimits
    /// Who seals the records of accepted connections.
    let sealing: RecordSealing
    let poller: Poller
    let wire: SharedWire
    let table: ConnectionTable
    let output: TurnOutput
    let plain: UnsafeMutableBufferPointer<UInt8>
    var batch = OutputBatch()
    var submitter: Submitter
    var admission: Admission
    var counters = TransportStatistics()
    /// The time of the current turn.
    package internal(set) var now = Clock.now

    var acceptor = Acceptor()
    var context: TLSContext?
    var timers = ConnectionTimers()
    var work = TurnWork()

    init(limits: TransportLimits, server: ReactorConfiguration.Server?) throws(TransportError) {
        precondition(limits.connections > 0 && limits.connections < Int(UInt32.max) - 2)
        precondition(limits.turnBytes > 0 && limits.turnBytes <= 65_536)
        self.limits = limits
        poller = try Poller()
        sealing = server?.sealing ?? .openSSL
        submitter = Submitter(server?.submission ?? .send)
        wire = try SharedWire(sealing: sealing, limits: limits.records)
        table = ConnectionTable(capacity: limits.connections)
        output = TurnOutput(capacity: limits.turnBytesTotal, turnBytes: limits.turnBytes)
        // Owned here, freed in deinit.
        unsafe plain = .allocate(capacity: BufferSizes.plain)
        admission = Admission(limits, proxies: server?.proxies ?? [], fronts: server?.fronts)
        guard let server else { return }
        context = try TLSContext(server: server.tls, sealing: sealing)
        // Who makes the listeners makes the reactors, as many of both.
        guard let socket = server.listeners.take() else {
            preconditionFailure("more reactors than listeners at \(server.listeners.address)")
        }
        guard acceptor.begin(with: socket, in: poller) else {
            throw .system("epoll_ctl", code: 0)
        }
    }

    deinit {
        for slot in 0..<table.count where table[slot].descriptor >= 0 {
            belfry_close(table[slot].descriptor)
        }
        acceptor.end()
        unsafe plain.deallocate()
    }

    // MARK: What handlers use

    /// A copy of the counts so far.
    package var statistics: TransportStatistics {
        var statistics = counters
        statistics.ringBatches = submitter.ringBatches
        return statistics
    }

    /// Connections in any state, those that are ending included.
    package var count: Int { table.occupied }

    /// Accepted connections not marked as authenticated yet.
    package var unauthenticatedCount: Int { admission.unauthenticated }

    /// Plaintext bytes that `write` takes now; 0 when blocked or closed.
    ///
    /// Holds until the next write. Bytes of other connections leave first when they are in the way:
    /// a write that had to send them might find this connection blocked then.
    package func room(in connection: ConnectionID) -> Int {
        guard let slot = table.slot(of: connection) else { return 0 }
        if limits.turnBytes - Int(table[slot].output.bytes) > output.room { flush() }
        guard table[slot].phase == .open, !table[slot].flags.contains(.blocked) else { return 0 }
        return limits.turnBytes - Int(table[slot].output.bytes)
    }

    /// Takes a connection out of the limits for peers that have not proven who they are.
    package func markAuthenticated(_ connection: ConnectionID) {
        guard let slot = table.slot(of: connection) else { return }
        uncount(slot)
    }

    /// Stops `received` for a connection until it is resumed; its end is still told.
    package func pauseReading(_ connection: ConnectionID) {
        guard let slot = table.slot(of: connection), table[slot].phase == .open else { return }
        table[slot].flags.insert(.paused)
        updateInterest(slot)
    }

    /// Lets `received` come again.
    package func resumeReading(_ connection: ConnectionID) {
        guard let slot = table.slot(of: connection), table[slot].phase == .open else { return }
        table[slot].flags.remove(.paused)
        updateInterest(slot)
    }

    /// Calls `tick` at a time of the monotonic clock, once, also when there are no connections.
    package func requestTick(atNanoseconds nanoseconds: UInt64) {
        timers.requestedTick = min(timers.requestedTick ?? .max, nanoseconds)
    }

    /// Shows another certificate from the next handshake on; connections that stand stay.
    /// - Throws: the certificate, key and authority cases; then nothing changes.
    package func use(_ tls: ServerTLS) throws(TransportError) {
        context = try TLSContext(server: tls, sealing: sealing)
    }

    /// Accepts no more connections; those that stand stay.
    package func stopAccepting() { acceptor.end() }

    /// Ends the reactor once all connections have ended, which the handler sees to at its pace.
    ///
    /// After `milliseconds` those that have not are ended with `.stopped`.
    package func stop(withinMilliseconds milliseconds: UInt64) {
        stopAccepting()
        timers.stop = min(timers.stop ?? .max, now.instant.nanoseconds + milliseconds * 1_000_000)
    }

    // MARK: Shared by the extensions

    func uncount(_ slot: UInt32) {
        guard table[slot].flags.contains(.accepted), !table[slot].flags.contains(.uncounted)
        else { return }
        table[slot].flags.insert(.uncounted)
        let isKnown = !table[slot].flags.contains(.awaitsHeader)
        admission.uncount(isKnown ? table.address(of: slot) : nil)
    }

    func updateInterest(_ slot: UInt32) {
        guard let wanted = table[slot].wantedInterest, wanted != UInt32(table[slot].interest) else {
            return
        }
        table[slot].interest = UInt8(truncatingIfNeeded: wanted)
        poller.modify(
            table[slot].descriptor,
            interest: wanted,
            token: PollToken.connection(table.id(slot))
        )
    }
}
