import HubClient
import HubDelivery
import HubRules
import HubTransport
import HubVocabulary
import HubWire

// Devices, as the SDK's loop drives them: store, acknowledge, tell the app.
extension Simulation {
    func addDevice(_ index: Int) {
        let session = newSession(index, DeviceState())
        devices.append(
            SimulatedDevice(session: session, policy: ReconnectPolicy(seed: world.random.next()))
        )
        wake(index, after: world.below(500_000))
    }

    private func newSession(_ index: Int, _ state: DeviceState) -> LinkSession {
        var configuration = LinkSession.Configuration(hub: "main")
        configuration.windowMessages = world.plan.windows[index % world.plan.windows.count]
        return LinkSession(configuration: configuration, state: state, seed: world.random.next())
    }

    func wake(_ index: Int, after microseconds: UInt64) {
        devices[index].due = world.time + microseconds
        arm(index)
    }

    private func arm(_ index: Int) {
        guard let due = devices[index].due else { return }
        if let armed = devices[index].armed, armed <= due { return }
        devices[index].armed = due
        world.events.add(.device(index), at: max(due, world.time))
    }

    func deviceIsDue(_ index: Int) {
        // An earlier event has done its work, or another one stands for the deadline.
        guard let armed = devices[index].armed, armed <= world.time else { return }
        devices[index].armed = nil
        guard let due = devices[index].due, !devices[index].isRetired else { return }
        guard due <= world.time else { return arm(index) }
        devices[index].due = nil
        world.count(8, index)
        guard let link = devices[index].link else { return open(index) }
        var actions: [SessionAction] = []
        devices[index].session.tick(now: world.now(of: index), actions: &actions)
        settle(index, link, &actions, nil)
    }

    // MARK: Connections

    private func open(_ index: Int) {
        guard let link = connect(index) else { return linkEnded(index, nil) }
        devices[index].link = link
        var token: String?
        if !devices[index].session.hasIdentity {
            token = SharedAccessSigner(keyName: AccessRule.listenName, key: access.listenKey).token(
                for: "sb://localhost/main",
                expiry: world.now.time.adding(seconds: 360_000)
            )
        }
        var actions: [SessionAction] = []
        devices[index].session.open(
            exporter: exporter(link),
            token: token,
            now: world.now(of: index),
            actions: &actions
        )
        settle(index, link, &actions, nil)
    }

    /// A connection is over for the device, or there was none.
    func linkEnded(_ index: Int, _ link: Int?) {
        if let link {
            links[link].isOpenAtDevice = false
            guard devices[index].link == link else { return }
        }
        let departure = devices[index].departure ?? (link == nil ? .unreachable : .lost)
        let uptime = devices[index].session.openedAt.map { world.now(of: index).instant.since($0) }
        devices[index].session.connectionEnded()
        devices[index].link = nil
        devices[index].departure = nil
        devices[index].isPaused = false
        devices[index].due = nil
        world.tell("device \(index) ends: \(departure)")
        if case .hubFault(let number) = departure {
            world.violate("the hub broke the protocol: \(number)")
        }
        let pace = devices[index].session.returning
        switch devices[index].policy.decide(
            after: departure,
            uptime: uptime ?? .zero,
            pace: pace
        ) {
        case .stop:
            // The app is opened again some time.
            wake(index, after: 500_000 + world.below(4_000_000))
        case .wait(let delay):
            wake(index, after: min(delay.wholeNanoseconds / 1_000, 20_000_000))
        }
    }

    /// The device gives a connection up; the hub hears it, or not.
    func abandon(_ index: Int, tellsHub: Bool) {
        guard let link = devices[index].link else { return }
        if tellsHub { end(link, toDevice: false) } else { links[link].toHub.isDead = true }
        linkEnded(index, link)
    }

    func receive(_ segment: Segment, _ index: Int, _ link: Int) {
        guard devices[index].link == link else { return }
        var actions: [SessionAction] = []
        devices[index].session.receive(
            segment.bytes.span,
            inflater: &inflater,
            now: world.now(of: index),
            actions: &actions
        )
        settle(index, link, &actions, segment)
    }

    /// The app asks for something.
    func request(
        _ index: Int,
        _ body: (inout LinkSession, TurnTime, inout [SessionAction]) throws(ChoiceError) -> Void
    ) {
        var actions: [SessionAction] = []
        do throws(ChoiceError) {
            try body(&devices[index].session, world.now(of: index), &actions)
        } catch {
            world.violate("a choice of device \(index) is refused: \(error)")
        }
        settle(index, devices[index].link, &actions, nil)
    }

    /// Carries out the end of every input of a session: store, then acknowledge, then tell.
    private func settle(
        _ index: Int,
        _ link: Int?,
        _ actions: inout [SessionAction],
        _ segment: Segment?
    ) {
        for action in actions { prepare(action, index, link) }
        if devices[index].session.needsCommit {
            let messages = devices[index].session.takeMessages()
            if world.strikes(.deviceStoreFailure, oneIn: 300) {
                devices[index].session.commitFailed(
                    stored: devices[index].stored.state,
                    now: world.now(of: index),
                    actions: &actions
                )
                // A loss that was not stored will be told again.
                actions.removeAll { if case .gap = $0 { true } else { false } }
            } else {
                for message in messages { take(message, index, link, segment) }
                devices[index].stored.state = devices[index].session.state
                adopt(index)
                devices[index].session.committed(now: world.now(of: index), actions: &actions)
            }
        }
        let output = devices[index].session.takeOutput()
        if let link, links[link].isOpenAtDevice { send(output, link, toDevice: false) }
        for action in actions { perform(action, index, link, segment) }
        if devices[index].link != nil {
            devices[index].due = devices[index].session.nextDeadline.map {
                $0.nanoseconds / 1_000 + 1
            }
            arm(index)
        }
    }

    /// Notes the facts that checks of the same input's messages need.
    private func prepare(_ action: SessionAction, _ index: Int, _ link: Int?) {
        guard case .opened(let opening) = action else { return }
        world.tell("device \(index) is \(opening.outcome) at \(opening.position.sequence)")
        if let link { noteOpening(opening, index, link) }
        switch opening.outcome {
        case .resumed: break
        case .gap: lose(index, through: opening.position.sequence)
        case .reset:
            lose(index, through: opening.position.sequence)
            devices[index].stored.lastSequence = 0
        case .fresh: devices[index].stored.lastSequence = 0
        }
    }

    private func perform(
        _ action: SessionAction,
        _ index: Int,
        _ link: Int?,
        _ segment: Segment?
    ) {
        switch action {
        case .transient(let notification): takeTransient(notification, index, link, segment)
        case .gap(let gap):
            world.tell("device \(index): gap \(gap)")
            guard gap.lost > 0, gap.to > gap.from else { return }
            checkGap(gap, index, link)
        case .entryFailed(let id, let slot, _, let error):
            world.violate("device \(index) cannot read \(id) for slot \(slot): \(error)")
        case .entryDropped(let id, let slot, let sequence, let drop):
            dropped(id, slot, sequence, drop, index, segment)
        case .requestRefused(let refusal): refused(refusal, index)
        case .close(let departure):
            devices[index].departure = departure
            guard let link else { return }
            if links[link].isOpenAtDevice { end(link, toDevice: false) }
            linkEnded(index, link)
        case .hubReported(let code, let detail):
            world.tell("device \(index): hub says \(code) \(detail)")
        case .opened, .registered, .unregistered, .upToDate: break
        }
    }

    /// The identity that the device has stored is the one that counts.
    private func adopt(_ index: Int) {
        guard let identity = devices[index].stored.state.identity else { return }
        let device = DeviceID(high: identity.id.high, low: identity.id.low)
        let position = devices[index].stored.state.position.sequence
        if ledger.devices[device]?.storedThrough ?? 0 < position {
            ledger.devices[device]?.storedThrough = position
        }
        guard devices[index].identity != device else { return }
        devices[index].identity = device
        ledger.devices[device] = ledger.devices[device] ?? Ledger.Device()
        ledger.handles[Array(identity.handleText.uppercased().utf8)] = device
    }

    // MARK: Ends of processes

    /// The device's process ends and starts again, with what it has stored.
    func restart(_ index: Int) {
        abandon(index, tellsHub: world.oneIn(2))
        devices[index].session = newSession(index, devices[index].stored.state)
        devices[index].policy = ReconnectPolicy(seed: world.random.next())
        wake(index, after: world.below(3_000_000))
    }

    /// The device has an older copy of its storage again.
    func rollBack(_ index: Int) {
        guard let older = devices[index].older else { return }
        devices[index].stored = older
        if older.state.identity == nil { devices[index].identity = nil }
        adopt(index)
        restart(index)
    }

    /// The device begins anew, with nothing.
    func reinstall(_ index: Int) {
        devices[index].stored = DeviceStorage()
        devices[index].older = nil
        devices[index].identity = nil
        restart(index)
    }

    /// Copies the device's storage to a second device: both are the same to the hub, and take each
    /// other over.
    func clone(_ index: Int) {
        let copy = SimulatedDevice(
            session: newSession(devices.count, devices[index].stored.state),
            policy: ReconnectPolicy(seed: world.random.next())
        )
        copy.stored = devices[index].stored
        copy.identity = devices[index].identity
        devices.append(copy)
        wake(devices.count - 1, after: world.below(2_000_000))
    }

    /// Of devices with one identity all but the first are switched off for good: they would take the
    /// session over from each other for ever.
    func retireClones() {
        var known: Set<DeviceID> = []
        for index in devices.indices {
            guard let identity = devices[index].identity ?? sessionIdentity(index),
                !known.insert(identity).inserted
            else { continue }
            abandon(index, tellsHub: true)
            devices[index].isRetired = true
            devices[index].due = nil
        }
    }
}
