import HubDirectory
import HubModel
import HubRules
import HubTags
import HubTemplates
import HubVocabulary

// Installations: written, patched, deleted, and what has to come of it.
extension Senders {
    private func drawInstallation() -> [UInt8] {
        Workload.installations[Int(world.below(UInt64(Workload.installations.count)))]
    }

    func putInstallation() {
        let number = Int(world.below(UInt64(Workload.installations.count)))
        let id = Workload.installations[number]
        // Most stay with their device.
        let device = world.oneIn(8) ? nil : number % devices.all.count
        guard machine.hub != nil, let content = drawContent(for: device) else { return }
        var channel = InstallationChannel(pushChannel: .text(content.handle))
        channel.tags = content.tags
        if world.oneIn(2) {
            var template = InstallationTemplate(name: Array("t".utf8))
            template.body = world.drawTemplate(content.platform)
            template.tags = TagSet(world.drawTags().map { Array($0.utf8) })
            channel.templates = [template]
        }
        let document = InstallationDocument(id: id, platform: content.platform, channel: channel)
        do throws(Refusal) {
            let draft = try InstallationDraft(document, limits: world.plan.core)
            ask(PutInstallation(draft, grant), as: .installation(id)) { senders, result in
                if case .success(let stored) = result { senders.checkStored(stored) }
            }
        } catch {
            world.violate("an installation of the simulation is refused: \(error)")
        }
    }

    func deleteInstallation() {
        guard machine.hub != nil, world.oneIn(2) else { return }
        let id = drawInstallation()
        ask(DeleteInstallation(id: id, grant), as: .installation(id)) { _, _ in }
    }

    // MARK: Patches

    /// Changes an installation's tags by a few operations.
    func patchInstallation() {
        guard machine.hub != nil else { return }
        let id = drawInstallation()
        // Its present tags, when no request under way may change it before.
        var tags: Set<String>? = nil
        let isKnown = !workload.isWaiting(forInstallation: id)
        if isKnown { tags = ledger.history.installations[id].map { self.tags($0) } }
        var operations: [String] = []
        for _ in 0..<(1 + world.below(3)) {
            let tag = Formula.tags[Int(world.below(UInt64(Formula.tags.count)))]
            switch world.below(4) {
            case 0:
                let all = world.drawTags()
                let list = all.map { "\"\($0)\"" }.joined(separator: ",")
                operations.append("{\"op\":\"replace\",\"path\":\"/tags\",\"value\":[\(list)]}")
                tags = tags.map { _ in Set(all) }
            case 1:
                operations.append("{\"op\":\"remove\",\"path\":\"/tags/\(tag)\"}")
                tags?.remove(tag)
            default:
                operations.append("{\"op\":\"add\",\"path\":\"/tags\",\"value\":\"\(tag)\"}")
                tags?.insert(tag)
            }
        }
        let outcome: Workload.PatchOutcome =
            isKnown ? tags.map { .tags($0) } ?? .notFound : .unknown
        let change = PatchInstallation(id: id, patch(operations), grant)
        ask(change, as: .patch(id)) { senders, result in
            senders.patched(outcome, result)
            if case .success(let stored) = result { senders.checkStored(stored) }
        }
    }

    private func patch(_ operations: [String]) -> InstallationPatch {
        let text = Array("[\(operations.joined(separator: ","))]".utf8)
        do {
            let value = try JSONTree(json: text.span, depthMax: 8)
            return try InstallationPatch(value, limits: world.plan.core)
        } catch {
            preconditionFailure("a patch of the simulation is refused: \(error)")
        }
    }

    func patched(_ outcome: Workload.PatchOutcome, _ result: Result<Installation, Refusal>) {
        switch (outcome, result) {
        case (.tags, .failure(.installationNotFound)):
            world.violate("a patch finds no installation where one is durable")
        case (.notFound, .success): world.violate("an installation is patched that there is not")
        case (.tags(let expected), .success(let installation)):
            let found = tags(installation)
            if found != expected {
                world.violate("a patch makes the tags \(found.sorted()) of \(expected.sorted())")
            }
        default: break
        }
    }

    // MARK: Checks

    private func checkStored(_ installation: Installation) {
        // Behind a freeze another node may have changed it since.
        guard machine.speaker === machine.hub,
            !workload.isWaiting(forInstallation: installation.id)
        else { return }
        if ledger.history.installations[installation.key] != installation {
            world.violate("installation \(installation.number.raw) is answered and not durable")
        }
        checkDerived(installation)
    }

    /// An installation's registrations are those of its document.
    ///
    /// Source: REST §5.5.
    func checkDerived(_ installation: Installation) {
        guard let document = installation.document(limits: world.plan.core) else {
            world.violate("installation \(installation.number.raw) cannot be read")
            return
        }
        let own = "$installationid:{\(String(decoding: installation.id, as: UTF8.self))}"
        let rows = ledger.history.rows.values.filter { $0.tags.contains(own) }
        let common = tags(installation).union([own])
        let native = rows.filter { $0.template == nil }.map(\.tags)
        if native != [common] {
            world.violate("\(own) has native registrations with \(native.map { $0.sorted() })")
        }
        let templates = rows.filter { $0.template != nil }
        let expected = document.channel.templates.first.map { template in
            common.union(Ledger.words(template.tags)).subtracting(["t"])
        }
        // A template has its name for a tag besides.
        if templates.count != document.channel.templates.count
            || templates.contains(where: { $0.tags.subtracting(["t"]) != expected })
        {
            world.violate("\(own) has templates with \(templates.map { $0.tags.sorted() })")
        }
    }

    private func tags(_ installation: Installation) -> Set<String> {
        installation.document(limits: world.plan.core).map { Ledger.words($0.channel.tags) } ?? []
    }
}
