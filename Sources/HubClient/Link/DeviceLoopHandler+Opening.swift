import HubTransport
import HubVocabulary
import HubWire

// How devices come and go.
extension DeviceLoopHandler {
    /// Puts a device into the line of those that open a connection.
    func enqueue(_ index: Int) {
        guard devices[index].link == .away, !isStopping else { return }
        devices[index].link = .queued
        queue.append(index)
    }

    /// Opens connections for those in the line, a bounded number at once.
    func openQueued(_ now: Now) {
        var taken = 0
        while taken < queue.count, openings < configuration.openingsMax, !isStopping {
            let index = queue[taken]
            taken += 1
            guard devices[index].link == .queued else { continue }
            open(index, now)
        }
        queue.removeFirst(taken)
    }

    private func open(_ index: Int, _ now: Now) {
        devices[index].departure = nil
        devices[index].unsent = []
        let known = addresses.known
        let address = known[devices[index].address % known.count]
        do throws(TransportError) {
            let connection = try connections.connect(
                to: address,
                serverName: configuration.host,
                using: context
            )
            devices[index].link = .connecting(connection)
            devices[index].isOpening = true
            openings += 1
            let slot = Int(connection.slot)
            while deviceOfSlot.count <= slot { deviceOfSlot.append(-1) }
            deviceOfSlot[slot] = index
        } catch {
            tell(index, .fault(.transport(error.description)), now)
            unreached(index, now)
        }
    }

    /// Tries the next address at once, because no hub answers at this one.
    ///
    /// Only when none is left is the hub unreachable; the address that answers stays the first.
    func unreached(_ index: Int, _ now: Now) {
        devices[index].address += 1
        devices[index].unreached += 1
        guard devices[index].unreached < addresses.known.count, devices[index].departure == nil,
            !isStopping
        else {
            resolveAgain(now)
            return ended(index, devices[index].departure ?? .unreachable, now)
        }
        doneOpening(index)
        devices[index].link = .away
        enqueue(index)
    }

    /// Asks what the host's name stands for now, on a thread of its own: resolving blocks.
    func resolveAgain(_ now: Now) {
        guard !addresses.isAsking, !isStopping, now.instant.nanoseconds >= addresses.againAt else {
            return
        }
        addresses.isAsking = true
        let configuration = configuration
        let mailbox = mailbox
        do throws(TransportError) {
            let thread = try ReactorThread(name: "resolver") {
                // A name that cannot be resolved now leaves the known addresses as they are.
                let found = try? configuration.resolve(configuration.host, configuration.port)
                _ = mailbox.post(.resolved(found ?? []))
            }
            thread.detach()
        } catch {
            // The next device without an answer asks again.
            addresses.isAsking = false
        }
    }

    /// Takes the addresses that the host's name stands for; the known ones stay when there are
    /// none.
    private func resolved(_ found: [SocketAddress], _ now: Now) {
        addresses.isAsking = false
        addresses.againAt = now.instant.nanoseconds + DeviceLoop.resolvePauseNanoseconds
        guard !found.isEmpty, found != addresses.known else { return }
        addresses.known = found
        for index in devices.indices { devices[index].address = 0 }
    }

    /// Asks every link whether it still lives.
    func probeAll(_ now: Now) {
        for index in devices.indices {
            guard case .open = devices[index].link else { continue }
            input(index, now) { session, actions in session.probe(now: now, actions: &actions) }
        }
    }

    /// A device's opening is over, well or not: the next in line may begin.
    func doneOpening(_ index: Int) {
        guard devices[index].isOpening else { return }
        devices[index].isOpening = false
        openings -= 1
        // The line is looked at in the next tick, which is soon.
        if !queue.isEmpty {
            connections.requestTick(atNanoseconds: connections.now.instant.nanoseconds)
        }
    }

    /// A connection is over, or never came to be: decide when the device comes back.
    func ended(_ index: Int, _ departure: Departure, _ now: Now) {
        doneOpening(index)
        let openedAt = devices[index].session.openedAt
        let uptime = openedAt.map { now.instant.since($0) } ?? .zero
        devices[index].unreached = 0
        devices[index].session.connectionEnded()
        devices[index].link = .away
        devices[index].unsent = []
        devices[index].departure = nil
        devices[index].isPaused = false
        deadlines[index] = .max
        var decision = ReconnectPolicy.Decision.stop
        if configuration.reconnects, !isStopping {
            decision = devices[index].policy.decide(
                after: departure,
                uptime: uptime,
                pace: devices[index].session.returning
            )
        }
        switch decision {
        case .stop: tell(index, .disconnected(departure, retryIn: nil), now)
        case .wait(let delay):
            tell(index, .disconnected(departure, retryIn: delay), now)
            setDeadline(index, (now.instant + delay).nanoseconds)
        }
    }

    func carryOut(_ command: LoopCommand, _ now: Now) {
        switch command {
        case .add(let setups): add(setups, now)
        case .register(let index, let choice):
            request(index, now) { session, actions throws(ChoiceError) in
                try session.register(choice, now: now, actions: &actions)
            }
        case .patchTags(let index, let slot, let add, let remove):
            request(index, now) { session, actions throws(ChoiceError) in
                try session.patchTags(
                    slot: slot,
                    add: add,
                    remove: remove,
                    now: now,
                    actions: &actions
                )
            }
        case .unregister(let index, let slot):
            request(index, now) { session, actions throws(ChoiceError) in
                try session.unregister(slot: slot, now: now, actions: &actions)
            }
        case .report(let index, let report):
            request(index, now) { session, actions throws(ChoiceError) in
                session.report(report, now: now, actions: &actions)
            }
        case .taken(let index, let number): taken(index, number)
        case .reconnect(let index): reconnect(index, now)
        case .leaveAll: leaveAll(now)
        case .reconnectAll: for index in devices.indices { enqueue(index) }
        case .resolved(let found): resolved(found, now)
        case .stop: stop(now)
        }
    }

    private func add(_ setups: [DeviceSetup], _ now: Now) {
        for setup in setups {
            let index = devices.count
            devices.append(
                LinkedDevice(setup, renewsTokens: configuration.tokens?.areRenewed ?? false)
            )
            deadlines.append(.max)
            // Notifications that the app had not taken when the process ended come first.
            for waiting in setup.store?.waiting ?? [] {
                tell(index, .notification(waiting), now)
            }
            enqueue(index)
        }
    }

    private func request(
        _ index: Int,
        _ now: Now,
        _ body: (inout LinkSession, inout [SessionAction]) throws(ChoiceError) -> Void
    ) {
        guard devices.indices.contains(index) else { return }
        input(index, now) { session, actions in
            do throws(ChoiceError) {
                try body(&session, &actions)
            } catch {
                tell(index, .fault(.choice(error)), now)
            }
        }
    }

    /// The store learns of it at the end of the turn, of all that were taken in one step.
    private func taken(_ index: Int, _ number: UInt64) {
        guard devices.indices.contains(index), devices[index].store != nil else { return }
        devices[index].takenThrough = max(devices[index].takenThrough ?? 0, number)
        enlist(index)
    }

    private func reconnect(_ index: Int, _ now: Now) {
        guard devices.indices.contains(index) else { return }
        switch devices[index].link {
        case .away: enqueue(index)
        case .queued: break
        case .connecting(let connection):
            // Begun on the network that was: it may wait for an answer until it is given up.
            devices[index].departure = .networkChanged
            connections.close(connection, .atOnce)
        case .open:
            input(index, now) { session, actions in
                session.leave(
                    reason: 1,
                    departure: .networkChanged,
                    now: now,
                    actions: &actions
                )
            }
            // One that is leaving already comes back all the same.
            if devices[index].departure != nil { devices[index].departure = .networkChanged }
        }
    }

    /// Everybody leaves; the reactor ends when the last connection has.
    private func stop(_ now: Now) {
        guard !isStopping else { return }
        isStopping = true
        leaveAll(now)
        connections.stop(withinMilliseconds: 5_000)
    }

    /// Everybody leaves, and comes back when asked to.
    private func leaveAll(_ now: Now) {
        queue = []
        for index in devices.indices {
            switch devices[index].link {
            case .away, .queued:
                devices[index].link = .away
                deadlines[index] = .max
            case .connecting(let connection):
                devices[index].departure = .closedByApp
                connections.close(connection, .atOnce)
            case .open:
                input(index, now) { session, actions in
                    session.leave(
                        reason: 0,
                        departure: .closedByApp,
                        now: now,
                        actions: &actions
                    )
                }
            }
        }
    }
}

extension LinkSession {
    /// Queues the receipt for what a user did, where the notification asks for such. [D-14]
    mutating func report(
        _ report: UserReport,
        now: Now,
        actions: inout [SessionAction]
    ) {
        guard report.notification.wantsUserReceipt else { return }
        var action: UInt8 = 0
        let event: ReceiptEvent
        switch report.event {
        case .displayed: event = .displayed
        case .opened: event = .opened
        case .dismissed: event = .dismissed
        case .suppressed: event = .suppressed
        case .actionChosen(let index):
            event = .actionChosen
            action = index
        }
        self.report(
            event,
            of: report.notification.id,
            slot: report.notification.slot,
            action: action,
            now: now,
            actions: &actions
        )
    }
}
