import HubParcel
import HubTransport
import HubVocabulary
import HubWire

/// The devices of one loop: joins sessions, stores and connections, on the reactor's thread.
final class DeviceLoopHandler: ConnectionHandler {
    typealias Message = LoopCommand

    let configuration: DeviceLoop.Configuration
    var addresses: HubAddresses
    let context: TLSContext
    let connections: Connections
    let mailbox: Mailbox<LoopCommand>
    let observer: any DeviceObserver

    var devices: [LinkedDevice] = []
    /// When each device has something to do, in nanoseconds; `.max` for never.
    var deadlines: [UInt64] = []
    /// The device of each connection, by the connection's slot.
    var deviceOfSlot: [Int] = []
    var queue: [Int] = []
    /// Devices whose inputs are carried out at the end of the turn.
    private var due: [Int] = []
    var openings = 0
    var isStopping = false
    private var sleep = SleepWatch()
    var inflater = ParcelInflater()

    init(
        _ configuration: DeviceLoop.Configuration,
        _ addresses: [SocketAddress],
        _ context: TLSContext,
        _ connections: Connections,
        _ mailbox: Mailbox<LoopCommand>,
        _ observer: any DeviceObserver
    ) {
        self.configuration = configuration
        self.addresses = HubAddresses(known: addresses)
        self.context = context
        self.connections = connections
        self.mailbox = mailbox
        self.observer = observer
    }

    // MARK: From the reactor

    func opened(_ connection: ConnectionID, peer: PeerInfo, now: Now) {
        guard let index = device(of: connection) else { return }
        devices[index].link = .open(connection)
        var token: String?
        if !devices[index].session.hasIdentity {
            token = configuration.tokens?.token(atMilliseconds: now.time.milliseconds)
        }
        input(index, now) { session, actions in
            session.open(exporter: peer.exporter, token: token, now: now, actions: &actions)
        }
    }

    func received(_ bytes: Span<UInt8>, from connection: ConnectionID, now: Now) {
        guard let index = device(of: connection) else { return }
        carryOut(index, now)
        let pongs = devices[index].session.pongs
        devices[index].session.receive(
            bytes,
            inflater: &inflater,
            now: now,
            actions: &devices[index].actions
        )
        if devices[index].session.pongs != pongs {
            observer.deviceKeptAlive(index, at: now.instant)
        }
        enlist(index)
    }

    func writable(_ connection: ConnectionID, now: Now) {
        guard let index = device(of: connection) else { return }
        flush(index, connection)
    }

    func closed(_ connection: ConnectionID, cause: CloseCause, now: Now) {
        guard let index = device(of: connection) else { return }
        carryOut(index, now)
        ended(index, devices[index].departure ?? .lost, now)
    }

    func connectFailed(_ connection: ConnectionID, cause: ConnectFailure, now: Now) {
        guard let index = device(of: connection) else { return }
        switch cause {
        case .handshake(.certificate, let verification):
            tell(index, .fault(.untrusted(verification: verification)), now)
            // Perhaps it was another server's address: the next one is another, if there is one.
            devices[index].address += 1
            resolveAgain(now)
            ended(index, .untrusted, now)
        case .unreachable:
            unreached(index, now)
            openQueued(now)
        case .handshake, .abandoned:
            devices[index].address += 1
            if devices[index].departure == nil { resolveAgain(now) }
            ended(index, devices[index].departure ?? .unreachable, now)
        }
    }

    func tick(now: Now) {
        if sleep.hasSlept(configuration.suspension()) { probeAll(now) }
        for index in deadlines.indices where deadlines[index] <= now.instant.nanoseconds {
            deadlines[index] = .max
            switch devices[index].link {
            case .away: enqueue(index)
            case .queued, .connecting: break
            case .open:
                input(index, now) { session, actions in
                    session.tick(now: now, actions: &actions)
                }
            }
        }
        openQueued(now)
        if let next = deadlines.min(), next != .max {
            connections.requestTick(atNanoseconds: next)
        }
    }

    func received(_ batch: [LoopCommand], now: Now) {
        for command in batch { carryOut(command, now) }
        openQueued(now)
    }

    /// Stores the turn's notifications, and those that the app took meanwhile, in one step.
    func endOfTurn(now: Now) {
        let listed = due
        due = []
        for index in listed { carryOut(index, now) }
    }

    // MARK: Between session, store and connection

    func device(of connection: ConnectionID) -> Int? {
        let slot = Int(connection.slot)
        guard slot < deviceOfSlot.count, deviceOfSlot[slot] >= 0 else { return nil }
        let index = deviceOfSlot[slot]
        switch devices[index].link {
        case .connecting(let known), .open(let known): return known == connection ? index : nil
        case .away, .queued: return nil
        }
    }

    /// Gives a session an input and does at once what follows.
    func input(
        _ index: Int,
        _ now: Now,
        _ body: (inout LinkSession, inout [SessionAction]) -> Void
    ) {
        // A session acknowledges only what is stored, so what it received is stored first.
        carryOut(index, now)
        body(&devices[index].session, &devices[index].actions)
        enlist(index)
        carryOut(index, now)
    }

    /// Puts a device into the list of those whose inputs are carried out at the end of the turn.
    func enlist(_ index: Int) {
        guard !devices[index].isListed else { return }
        devices[index].isListed = true
        due.append(index)
    }

    /// Carries out the inputs of a session: store, then acknowledge, then tell.
    private func carryOut(_ index: Int, _ now: Now) {
        guard devices[index].isListed else { return }
        devices[index].isListed = false
        let stored = store(index, now)
        pace(index, now)
        let actions = devices[index].actions
        devices[index].actions = []
        if case .open(let connection) = devices[index].link { flush(index, connection) }
        // Stored notifications come after WELCOME's news and before the events that end the
        // connection.
        var isTold = false
        for action in actions {
            if !isTold, Self.followsMessages(action) {
                isTold = true
                for notification in stored { tell(index, .notification(notification), now) }
            }
            perform(action, index, now)
        }
        if !isTold {
            for notification in stored { tell(index, .notification(notification), now) }
        }
        schedule(index)
    }

    /// Commits what a session and its app have changed; the notifications that are stored now.
    private func store(_ index: Int, _ now: Now) -> [ReceivedNotification] {
        let device = devices[index]
        let isChanged = device.session.needsCommit
        guard isChanged || device.takenThrough != nil else { return [] }
        var change = StoreChange(takenThrough: device.takenThrough)
        if isChanged {
            change.state = device.session.state
            change.added = device.session.takeMessages()
        }
        do throws(DeviceStoreError) {
            try device.store?.commit(change)
            device.takenThrough = nil
            if isChanged { device.session.committed(now: now, actions: &device.actions) }
            return change.added
        } catch {
            tell(index, .fault(.store(error)), now)
            if isChanged {
                device.session.commitFailed(
                    stored: device.store?.state ?? device.session.state,
                    now: now,
                    actions: &device.actions
                )
            }
            return []
        }
    }

    /// Asks the hub to pause while the app is far behind.
    private func pace(_ index: Int, _ now: Now) {
        // A device without a store is never behind, and is not copied to find that out.
        guard let store = devices[index].store, devices[index].session.isReady else { return }
        let wasPaused = devices[index].isPaused
        let most = wasPaused ? DeviceLoop.untakenMax / 2 : DeviceLoop.untakenMax
        let pauses = store.waitingCount > most
        guard pauses != wasPaused else { return }
        devices[index].isPaused = pauses
        let usual = devices[index].session.configuration
        devices[index].session.setWindow(
            appState: 1,
            messages: pauses ? 0 : usual.windowMessages,
            bytes: usual.windowBytes,
            now: now
        )
    }

    private static func followsMessages(_ action: SessionAction) -> Bool {
        switch action {
        case .upToDate, .close: true
        case .opened, .registered, .unregistered, .requestRefused, .transient, .gap, .entryFailed,
            .entryDropped, .hubReported:
            false
        }
    }

    private func perform(_ action: SessionAction, _ index: Int, _ now: Now) {
        switch action {
        case .opened(let opening): isOpen(index, opening, now)
        case .registered(let choice, let isUnchanged):
            tell(index, .registered(choice, isUnchanged: isUnchanged), now)
        case .unregistered(let slot): tell(index, .unregistered(slot: slot), now)
        case .requestRefused(let refusal): tell(index, .fault(.refused(refusal)), now)
        case .transient(let notification): tell(index, .notification(notification), now)
        case .gap(let gap):
            if gap.lost > 0 { tell(index, .gap(LossNotice(gap)), now) }
        case .entryFailed(let id, _, _, let error):
            let fault = DeviceFault.undecodable(id: id.uuidText, reason: error.rawValue)
            tell(index, .fault(fault), now)
        case .entryDropped: break
        case .hubReported(let code, let detail):
            let name = ErrorNumber.name(of: code)
            tell(index, .fault(.reported(name: name, detail: detail)), now)
        case .upToDate: tell(index, .upToDate, now)
        case .close(let departure):
            devices[index].departure = departure
            if case .open(let connection) = devices[index].link {
                connections.close(connection, .afterFlush)
            }
        }
    }

    private func isOpen(_ index: Int, _ opening: SessionOpening, _ now: Now) {
        doneOpening(index)
        tell(index, .connected(opening), now)
        let reason: LossNotice.Reason
        switch opening.outcome {
        case .fresh, .resumed: return
        case .gap: reason = .historyLost
        case .reset: reason = .reset
        }
        let notice = LossNotice(
            reason: reason,
            lost: opening.lost,
            position: opening.position.sequence
        )
        tell(index, .gap(notice), now)
    }

    /// Gives the connection what the session wrote, as far as it takes it.
    private func flush(_ index: Int, _ connection: ConnectionID) {
        let fresh = devices[index].session.takeOutput()
        if devices[index].unsent.isEmpty {
            guard !fresh.isEmpty else { return }
            devices[index].unsent = fresh
        } else {
            devices[index].unsent.append(contentsOf: fresh)
        }
        let bytes = devices[index].unsent
        var sent = 0
        while sent < bytes.count {
            let count = min(bytes.count - sent, connections.limits.turnBytes / 2)
            let piece = bytes.span.extracting(sent..<(sent + count))
            guard connections.write(connection, piece) == .accepted else { break }
            sent += count
        }
        devices[index].unsent = sent == bytes.count ? [] : Array(bytes[sent...])
    }

    func tell(_ index: Int, _ event: DeviceEvent, _ now: Now) {
        observer.device(index, did: event, at: now.instant)
    }

    private func schedule(_ index: Int) {
        guard case .open = devices[index].link else { return }
        setDeadline(index, devices[index].session.nextDeadline?.nanoseconds ?? .max)
    }

    func setDeadline(_ index: Int, _ nanoseconds: UInt64) {
        guard nanoseconds != .max else {
            deadlines[index] = .max
            return
        }
        // Rounded up, so that thousands of devices share one wake-up.
        let grain: UInt64 = 10_000_000
        deadlines[index] = nanoseconds / grain * grain + grain
        connections.requestTick(atNanoseconds: deadlines[index])
    }
}
