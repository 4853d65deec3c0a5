import Foundation
import HubData
import HubDirectory
import HubModel
import HubRelay
import HubRules
import HubTransport
import HubVocabulary
import Logging
import Synchronization

/// Credentials and lanes of hubs; changes run on the queue of changes.
extension HubRoster {
    /// The credentials of a hub with what a definition says of them.
    ///
    /// - Throws: the first problem of a property; `.stopping` when the hub has ended.
    func credentials(
        of member: Member,
        changedBy definition: HubDefinition
    ) throws(Refusal) -> CredentialSet {
        guard !definition.credentials.isEmpty else { return member.stored.credentials }
        guard let place = place(member) else { throw .stopping }
        let changed = try Self.changed(
            member.stored.credentials,
            by: definition,
            secret: member.stored.secret,
            place: place
        )
        for warning in changed.warnings {
            logger.warning(
                "credential",
                metadata: ["hub": "\(member.stored.name)", "warning": "\(warning)"]
            )
        }
        return changed.credentials
    }

    /// Credentials with what a definition says of them, from a place in the log on.
    static func changed(
        _ credentials: CredentialSet,
        by definition: HubDefinition,
        secret: HubSecret,
        place: LogPlace
    ) throws(Refusal) -> CredentialSet.Changed {
        do throws(CredentialProblem) {
            var changes: [CredentialKind: CredentialSet.Change] = [:]
            for given in definition.credentials {
                guard let kind = CredentialKind(name: given.element) else {
                    throw .invalid(field: given.element, reason: "is no credential.")
                }
                changes[kind] =
                    given.properties.isEmpty
                    ? .remove : .set(try CredentialProperties(kind, given.properties))
            }
            return try credentials.changed(
                by: changes,
                hub: secret,
                now: Clock.now.time,
                place: place,
                confirmsNewKeys: definition.confirmsNewKeys,
                open: CredentialStore.open
            )
        } catch {
            switch error {
            case .invalid(let field, let reason): throw .invalid(field: field, reason: reason)
            case .changedMeanwhile(let field): throw .credentialChanged(field: field)
            case .endsSubscriptions:
                throw .invalid(
                    field: "BrowserCredential.VapidPublicKey",
                    reason: "another key ends every subscription of the hub: confirm the change."
                )
            }
        }
    }

    /// The place of the hub's next record; nil when its writer has ended.
    private func place(_ member: Member) -> LogPlace? {
        let found = Mutex<LogPlace?>(nil)
        let isTold = DispatchSemaphore(value: 0)
        let isAsked = member.hub.writer.inspect { hub in
            let bounds = hub.bounds
            found.withLock {
                $0 = LogPlace(epoch: bounds.epoch, sequence: bounds.head + 1)
            }
            isTold.signal()
        }
        guard isAsked, isTold.wait(timeout: .now() + .seconds(Self.shardSeconds)) == .success
        else { return nil }
        return found.withLock { $0 }
    }

    // MARK: Lanes

    /// Begins the lanes of all credentials of a hub.
    func openLanes(of member: Member) {
        for entry in member.stored.credentials.all { openLane(entry, of: member) }
    }

    /// Begins, goes on with or ends lanes after a change of credentials.
    func changeLanes(of member: Member, before: CredentialSet) {
        for kind in CredentialKind.allCases {
            let name = LaneName(hub: member.stored.name, platform: kind.platform)
            guard let entry = member.stored.credentials[kind] else {
                if before[kind] != nil { closeLane(name, of: member) }
                continue
            }
            guard before[kind]?.properties != entry.properties else { continue }
            // Another link, since connections belong to a credential; the mark goes on.
            launcher.relays.close(name)
            openLane(entry, of: member)
        }
    }

    private func closeLane(_ name: LaneName, of member: Member) {
        launcher.relays.close(name)
        _ = member.hub.writer.inspect { $0.relays[name.platform] = nil }
    }

    /// Tells every lane which hubs there are: no service may see a handle of any of them.
    func tellLanes() {
        for member in members {
            launcher.relays.post(.judge(judge(of: member)), toLanesOf: member.stored.name)
        }
    }

    private func judge(of member: Member) -> HandleJudge {
        let all = members.map { HandleJudge.Hub(name: $0.stored.name, secret: $0.stored.secret) }
        let own = HandleJudge.Hub(name: member.stored.name, secret: member.stored.secret)
        let retired = state.withLock(\.retired)
        return HandleJudge(hub: own, others: all.filter { $0.name != own.name } + retired)
    }

    private func openLane(_ entry: CredentialSet.Entry, of member: Member) {
        let kind = entry.properties.kind
        let name = LaneName(hub: member.stored.name, platform: kind.platform)
        guard kind.unusedBecause == nil else { return }
        let link: RelayLink
        do throws(LaneCause) {
            link = try launcher.options.relay.makeLink(entry.credential)
        } catch {
            var place = RelayPlace(since: entry.since.sequence, cause: error.sentence)
            if case .credential = error { place.condition.credential = .refused(error.sentence) }
            return show(name, of: member, cannotBegin: place)
        }
        let (relays, limits) = (launcher.relays, launcher.options.relay.limits)
        let (log, writer, judge) = (member.hub.log, member.hub.writer, judge(of: member))
        let since = entry.since.sequence
        _ = writer.inspect { [self] hub in
            // Counters go on with another credential of the platform.
            let answers = hub.relays[name.platform]?.condition.answers ?? 0
            hub.relays[name.platform] = RelayPlace(since: since)
            var random = SystemRandomNumberGenerator()
            let loop = RelayLoop(
                hub: name.hub,
                entry: entry,
                stored: hub.lane(name.platform),
                bounds: hub.bounds,
                judge: judge,
                registrations: hub.gauges.registrations,
                purged: hub.settings.purgedThrough,
                seed: random.next(),
                limits: limits,
                answers: answers
            )
            do throws(StoreError) {
                try relays.open(
                    RelayLane(name, loop: loop, log: log, writer: writer, link: link)
                )
            } catch {
                let place = RelayPlace(since: since, cause: error.description)
                show(name, of: member, cannotBegin: place)
            }
        }
    }

    /// Tells the operator once, and readers of the hub's relays, why a lane cannot begin.
    private func show(
        _ name: LaneName,
        of member: Member,
        cannotBegin place: RelayPlace
    ) {
        logger.error(
            "a relay cannot begin",
            metadata: [
                "hub": "\(name.hub)", "platform": "\(name.platform.format)",
                "reason": "\(place.cause ?? "")",
            ]
        )
        _ = member.hub.writer.inspect { $0.relays[name.platform] = place }
    }
}
