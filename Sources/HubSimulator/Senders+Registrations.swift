import HubClient
import HubDirectory
import HubModel
import HubTags
import HubTemplates
import HubVocabulary

// Registrations of the backend, and settings of operators.
extension Senders {
    var grant: AccessGrant { AccessGrant(rule: "full", rights: [.listen, .send, .manage]) }

    func drawContent(for device: Int? = nil) -> RegistrationContent? {
        let index = device ?? Int(world.below(UInt64(devices.all.count)))
        guard let identity = devices.all[index].stored.state.identity else { return nil }
        let platform = World.platforms[Int(world.below(8) < 6 ? 0 : 1 + world.below(2))]
        var content = RegistrationContent(
            platform: platform,
            handle: Array(identity.handleText.uppercased().utf8),
            tags: TagSet(world.drawTags().map { Array($0.utf8) })
        )
        if world.oneIn(3) {
            content.template = TemplateDefinition(name: [], body: world.drawTemplate(platform))
        }
        return content
    }

    func createRegistration() {
        guard machine.hub != nil, workload.registrations.count < Workload.registrationsMax,
            let content = drawContent()
        else {
            return
        }
        ask(CreateRegistration(content, grant), as: .register) { senders, result in
            guard case .success(let made) = result else { return }
            senders.checkStored(made)
            senders.workload.registrations.append(made.id)
        }
    }

    private var known: [UInt8]? {
        guard machine.hub != nil, !workload.registrations.isEmpty else { return nil }
        return workload.registrations[Int(world.below(UInt64(workload.registrations.count)))]
    }

    func changeRegistration() {
        guard let id = known, let content = drawContent() else { return }
        ask(PutRegistration(id: id, content, .none, grant), as: .change(id)) { senders, result in
            if case .success(let stored) = result { senders.checkStored(stored) }
        }
    }

    func deleteRegistration() {
        guard let id = known else { return }
        ask(DeleteRegistration(id: id, .none, grant), as: .change(id)) { _, _ in }
        workload.registrations.removeAll { $0 == id }
    }

    private func checkStored(_ registration: Registration) {
        let row = ledger.history.rows[registration.number.raw]
        if row.map({ $0.version < registration.version }) ?? true,
            ledger.removed[registration.number.raw] == nil
        {
            world.violate("registration \(registration.number.raw) is answered and not durable")
        }
    }

    // MARK: Operators

    func changeSettings() {
        guard machine.hub != nil, world.plan.operators.changeSettings else { return }
        var change = HubSettingsChange()
        if world.oneIn(2) {
            let cap = UInt64(world.plan.core.devices.deviceCap)
            change.deviceCap = [cap, min(2 * cap, 10_000), 10_000][Int(world.below(3))]
        } else {
            let seconds: UInt64 = [3_600, 100_000, 2_419_200][Int(world.below(3))]
            change.retentionSeconds = seconds
            change.timeToLiveSeconds = min(seconds, 604_800)
        }
        ask(ChangeSettings(change), as: .settings) { $0.settingsTold($1) }
    }

    func purgeSome() {
        guard machine.hub != nil, world.plan.operators.purge else { return }
        let head = UInt64(ledger.history.log.count)
        var extent = PurgeExtent.through(head - min(head, world.below(12)))
        if world.oneIn(3) {
            let back = world.below(60_000)
            extent = .before(Timestamp(milliseconds: world.now.time.milliseconds - back))
        }
        ask(Purge(extent), as: .settings) { $0.settingsTold($1) }
    }

    func settingsTold(_ result: Result<HubSettings, Refusal>) {
        switch result {
        case .success(let settings):
            let durable = ledger.history.settings?.purgedThrough ?? 0
            if settings.purgedThrough > durable {
                world.violate("purged to \(settings.purgedThrough), durable is \(durable)")
            }
            world.tell("answer \(settings)")
        case .failure(.storeFull), .failure(.storeUnavailable), .failure(.storeUnanswered),
            .failure(.stopping):
            break
        case .failure(let refusal): world.violate("a change of settings is refused: \(refusal)")
        }
    }
}
