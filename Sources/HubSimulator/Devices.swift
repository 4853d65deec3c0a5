import HubClient
import HubDelivery
import HubParcel
import HubRules
import HubTransport
import HubVocabulary
import HubWire

/// The devices, as the SDK's loop drives them: store, acknowledge, tell the app.
final class Devices {
    let world: World
    let ledger: Ledger
    let network: Network
    let machine: Machine
    let checks: AppChecks
    private(set) var all: [SimulatedDevice] = []
    private var inflater = ParcelInflater()

    init(_ checks: AppChecks) {
        world = checks.world
        ledger = checks.ledger
        network = checks.network
        machine = checks.machine
        self.checks = checks
    }

    func addDevice(_ index: Int) {
        let session = newSession(index, DeviceState())
        all.append(
            SimulatedDevice(
                index,
                session: session,
                policy: ReconnectPolicy(seed: world.random.next())
            )
        )
        wake(index, after: world.below(500_000))
    }

    private func newSession(_ index: Int, _ state: DeviceState) -> LinkSession {
        var configuration = LinkSession.Configuration(hub: "main")
        configuration.windowMessages = world.plan.windows[index % world.plan.windows.count]
        return LinkSession(configuration: configuration, state: state, seed: world.random.next())
    }

    func wake(_ index: Int, after microseconds: UInt64) {
        all[index].due = world.time + microseconds
        arm(index)
    }

    private func arm(_ index: Int) {
        guard let due = all[index].due else { return }
        if let armed = all[index].armed, armed <= due { return }
        all[index].armed = due
        world.events.add(.device(index), at: max(due, world.time))
    }

    func deviceIsDue(_ index: Int) {
        // An earlier event has done its work, or another one stands for the deadline.
        guard let armed = all[index].armed, armed <= world.time else { return }
        all[index].armed = nil
        guard let due = all[index].due, !all[index].isRetired else { return }
        guard due <= world.time else { return arm(index) }
        all[index].due = nil
        world.count(8, index)
        guard let link = all[index].link else { return open(index) }
        var actions: [SessionAction] = []
        all[index].session.tick(now: world.now(of: index), actions: &actions)
        finish(index, link, &actions, nil)
    }

    // MARK: Connections

    private func open(_ index: Int) {
        guard let link = machine.connect(index) else { return linkEnded(index, nil) }
        all[index].link = link
        var token: String?
        if !all[index].session.hasIdentity {
            token = SharedAccessSigner(
                keyName: AccessRule.listenName,
                key: machine.access.listenKey
            ).token(
                for: "sb://localhost/main",
                expiry: world.now.time.adding(seconds: 360_000)
            )
        }
        var actions: [SessionAction] = []
        all[index].session.open(
            exporter: network.exporter(link),
            token: token,
            now: world.now(of: index),
            actions: &actions
        )
        finish(index, link, &actions, nil)
    }

    /// A connection is over for the device, or there was none.
    func linkEnded(_ index: Int, _ link: Int?) {
        if let link {
            network.links[link].isOpenAtDevice = false
            guard all[index].link == link else { return }
        }
        let departure = all[index].departure ?? (link == nil ? .unreachable : .lost)
        let uptime = all[index].session.openedAt.map { world.now(of: index).instant.since($0) }
        all[index].session.connectionEnded()
        all[index].link = nil
        all[index].departure = nil
        all[index].isPaused = false
        all[index].due = nil
        world.tell("device \(index) ends: \(departure)")
        if case .hubFault(let number) = departure {
            world.violate("the hub broke the protocol: \(number)")
        }
        let pace = all[index].session.returning
        switch all[index].policy.decide(
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
        guard let link = all[index].link else { return }
        if tellsHub {
            network.end(link, toDevice: false)
        } else {
            network.links[link].toHub.isDead = true
        }
        linkEnded(index, link)
    }

    func arriveAtDevice(_ link: Int) {
        guard network.links[link].isOpenAtDevice else { return }
        guard network.links[link].blockedUntil <= world.time else {
            world.events.add(.toDevice(link), at: network.links[link].blockedUntil)
            return
        }
        if network.links[link].isFull {
            network.links[link].isFull = false
            machine.becomesWritable(link)
        }
        guard let segment = network.links[link].toDevice.popFirst() else { return }
        world.count(7, link << 16 ^ segment.bytes.count)
        if network.links[link].isStarved { machine.becomesWritable(link) }
        if segment.isEnd {
            linkEnded(network.links[link].device, link)
        } else {
            receive(segment, network.links[link].device, link)
        }
    }

    private func receive(_ segment: Segment, _ index: Int, _ link: Int) {
        guard all[index].link == link else { return }
        var actions: [SessionAction] = []
        all[index].session.receive(
            segment.bytes.span,
            inflater: &inflater,
            now: world.now(of: index),
            actions: &actions
        )
        finish(index, link, &actions, segment)
    }

    /// The app asks for something.
    func request(
        _ index: Int,
        _ body: (inout LinkSession, Now, inout [SessionAction]) throws(ChoiceError) -> Void
    ) {
        var actions: [SessionAction] = []
        do throws(ChoiceError) {
            try body(&all[index].session, world.now(of: index), &actions)
        } catch {
            world.violate("a choice of device \(index) is refused: \(error)")
        }
        finish(index, all[index].link, &actions, nil)
    }

    /// Carries out the end of every input of a session: store, then acknowledge, then tell.
    private func finish(
        _ index: Int,
        _ link: Int?,
        _ actions: inout [SessionAction],
        _ segment: Segment?
    ) {
        for action in actions { prepare(action, index, link) }
        if all[index].session.needsCommit {
            let messages = all[index].session.takeMessages()
            if world.strikes(.deviceStoreFailure, oneIn: 300) {
                all[index].session.commitFailed(
                    stored: all[index].stored.state,
                    now: world.now(of: index),
                    actions: &actions
                )
                // A loss that was not stored will be told again.
                actions.removeAll { if case .gap = $0 { true } else { false } }
            } else {
                for message in messages { checks.take(message, all[index], link, segment) }
                all[index].stored.state = all[index].session.state
                adopt(index)
                all[index].session.committed(now: world.now(of: index), actions: &actions)
            }
        }
        let output = all[index].session.takeOutput()
        if let link, network.links[link].isOpenAtDevice {
            network.send(output, link, toDevice: false)
        }
        for action in actions { perform(action, index, link, segment) }
        if all[index].link != nil {
            all[index].due = all[index].session.nextDeadline.map {
                $0.nanoseconds / 1_000 + 1
            }
            arm(index)
        }
    }

    /// Notes the facts that checks of the same input's messages need.
    private func prepare(_ action: SessionAction, _ index: Int, _ link: Int?) {
        guard case .opened(let opening) = action else { return }
        world.tell("device \(index) is \(opening.outcome) at \(opening.position.sequence)")
        if let link { checks.noteOpening(opening, all[index], link) }
        switch opening.outcome {
        case .resumed: break
        case .gap: checks.lose(all[index], through: opening.position.sequence)
        case .reset:
            checks.lose(all[index], through: opening.position.sequence)
            all[index].stored.lastSequence = 0
        case .fresh: all[index].stored.lastSequence = 0
        }
    }

    private func perform(
        _ action: SessionAction,
        _ index: Int,
        _ link: Int?,
        _ segment: Segment?
    ) {
        switch action {
        case .transient(let notification):
            checks.takeTransient(notification, all[index], link, segment)
        case .gap(let gap):
            world.tell("device \(index): gap \(gap)")
            guard gap.lost > 0, gap.to > gap.from else { return }
            checks.checkGap(gap, all[index], link)
        case .entryFailed(let id, let slot, _, let error):
            world.violate("device \(index) cannot read \(id) for slot \(slot): \(error)")
        case .entryDropped(let id, let slot, let sequence, let drop):
            checks.dropped(id, slot, sequence, drop, all[index], segment)
        case .requestRefused(let refusal): checks.refused(refusal, all[index])
        case .close(let departure):
            all[index].departure = departure
            guard let link else { return }
            if network.links[link].isOpenAtDevice { network.end(link, toDevice: false) }
            linkEnded(index, link)
        case .hubReported(let code, let detail):
            world.tell("device \(index): hub says \(code) \(detail)")
        case .opened, .registered, .unregistered, .upToDate: break
        }
    }

    /// The identity that the device has stored is the one that counts.
    private func adopt(_ index: Int) {
        guard let identity = all[index].stored.state.identity else { return }
        let device = DeviceID(high: identity.id.high, low: identity.id.low)
        let position = all[index].stored.state.position.sequence
        if ledger.devices[device]?.storedThrough ?? 0 < position {
            ledger.devices[device]?.storedThrough = position
        }
        guard all[index].identity != device else { return }
        all[index].identity = device
        ledger.devices[device] = ledger.devices[device] ?? Ledger.Device()
        ledger.handles[Array(identity.handleText.uppercased().utf8)] = device
    }

    // MARK: Ends of processes

    /// The device's process ends and starts again, with what it has stored.
    func restart(_ index: Int) {
        abandon(index, tellsHub: world.oneIn(2))
        all[index].session = newSession(index, all[index].stored.state)
        all[index].policy = ReconnectPolicy(seed: world.random.next())
        wake(index, after: world.below(3_000_000))
    }

    /// The device has an older copy of its storage again.
    func rollBack(_ index: Int) {
        guard let older = all[index].older else { return }
        all[index].stored = older
        if older.state.identity == nil { all[index].identity = nil }
        adopt(index)
        restart(index)
    }

    /// The device begins anew, with nothing.
    func reinstall(_ index: Int) {
        all[index].stored = DeviceStorage()
        all[index].older = nil
        all[index].identity = nil
        restart(index)
    }

    /// Copies the device's storage to a second device: both are the same to the hub, and take each
    /// other over.
    func clone(_ index: Int) {
        let copy = SimulatedDevice(
            all.count,
            session: newSession(all.count, all[index].stored.state),
            policy: ReconnectPolicy(seed: world.random.next())
        )
        copy.stored = all[index].stored
        copy.identity = all[index].identity
        all.append(copy)
        wake(all.count - 1, after: world.below(2_000_000))
    }

    /// Of devices with one identity all but the first are switched off for good: they would take the
    /// session over from each other for ever.
    func retireClones() {
        var known: Set<DeviceID> = []
        for index in all.indices {
            guard let identity = all[index].identity ?? all[index].sessionIdentity,
                !known.insert(identity).inserted
            else { continue }
            abandon(index, tellsHub: true)
            all[index].isRetired = true
            all[index].due = nil
        }
    }
}
