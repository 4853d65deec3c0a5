import Foundation
import HubData
import HubDatabase
import HubDirectory
import HubRelay
import HubRules
import HubTransport
import HubVocabulary
import Logging
import Synchronization

/// How hubs come and go; runs on the queue of changes, one after another.
extension HubRoster {
    func carryOut(_ change: NamespaceChange) -> Result<HubDescription, Refusal> {
        do throws(Refusal) {
            guard !state.withLock({ $0.isClosed }) else { throw .stopping }
            switch change {
            case .createHub(let name, let definition):
                return .success(try create(name, definition))
            case .updateHub(let name, let definition):
                return .success(
                    try update(name, as: definition) { hub throws(Refusal) in
                        try hub.updated(
                            by: definition,
                            now: Clock.now.time,
                            limits: limits,
                            newKey: HubKeys.newKey
                        )
                    }
                )
            case .renewKey(let name, let rule, let key):
                return .success(
                    try update(name) { hub throws(Refusal) in
                        try hub.renewing(
                            key,
                            ofRule: rule,
                            now: Clock.now.time,
                            newKey: HubKeys.newKey
                        )
                    }
                )
            case .deleteHub(let name):
                return .success(try delete(name))
            }
        } catch { return .failure(error) }
    }

    private func create(
        _ name: HubName,
        _ definition: HubDefinition
    ) throws(Refusal) -> HubDescription {
        let (isKnown, count) = state.withLock { ($0.members[name] != nil, $0.members.count) }
        guard !isKnown else { throw .hubExists(name: name.description) }
        guard count < limits.namespace.hubsMax else {
            throw .tooMany(what: "hubs", limit: limits.namespace.hubsMax)
        }
        let description = try HubDescription(
            creating: name,
            as: definition,
            now: Clock.now.time,
            limits: limits,
            newKey: HubKeys.newKey
        )
        let policies = try policies.replacing(name, with: description.rules.map(\.rule))
        // Before anything is made: masks of another hub's secrets are refused too.
        guard let unknown = HubSecret([UInt8](repeating: 0, count: HubSecret.byteCount)) else {
            preconditionFailure("a secret has so many bytes")
        }
        _ = try Self.changed(
            CredentialSet(),
            by: definition,
            secret: unknown,
            place: LogPlace(epoch: 0, sequence: 1)
        )
        var stored = try attempt("create", name) { () throws(ServerError) in
            try folders.make(description)
        }
        let hub: ShardHub
        do throws(Refusal) {
            hub = try attempt("open", name) { () throws(ServerError) in try launcher.open(stored) }
        } catch {
            discard(name)
            throw error
        }
        let quota = state.withLock { $0.quota }
        _ = hub.writer.inspect { $0.quota = quota }
        stored = try given(stored, definition, hub)
        // Before REST knows it: a key that its answer hands out is good on the device link too.
        tellShards { step in .open(hub, policies, step) }
        state.withLock { state in
            state.members[name] = Member(stored: stored, hub: hub)
            state.access = Access(policies: policies)
        }
        if let member = member(name) { openLanes(of: member) }
        tellLanes()
        logger.notice("hub created", metadata: ["hub": "\(name)"])
        return stored.shown
    }

    private func update(
        _ name: HubName,
        as definition: HubDefinition? = nil,
        by change: (HubDescription) throws(Refusal) -> HubDescription
    ) throws(Refusal) -> HubDescription {
        guard var member = member(name) else {
            throw .hubNotFound(name: name.description)
        }
        let before = member.stored.credentials
        if let definition {
            member.stored.credentials = try credentials(of: member, changedBy: definition)
        }
        member.stored.description = try change(member.stored.description)
        let changed = member
        let policies = try policies.replacing(name, with: changed.stored.rules)
        try attempt("update", name) { () throws(ServerError) in
            try folders.update(changed.stored)
        }
        let life = changed.stored.description.registrationLife.seconds
        _ = changed.hub.writer.inspect { $0.registrationLifeSeconds = life }
        tellShards { step in .policies(policies, step) }
        state.withLock { state in
            state.members[name] = changed
            state.access = Access(policies: policies)
        }
        changeLanes(of: changed, before: before)
        logger.notice("hub changed", metadata: ["hub": "\(name)"])
        return changed.stored.shown
    }

    private func delete(_ name: HubName) throws(Refusal) -> HubDescription {
        guard let member = member(name) else {
            throw .hubNotFound(name: name.description)
        }
        let before = policies
        let policies = try before.replacing(name, with: nil)
        state.withLock { state in
            state.members[name] = nil
            state.access = Access(policies: policies)
        }
        let gone = HandleJudge.Hub(name: name, secret: member.stored.secret)
        let aside: String
        do throws(Refusal) {
            aside = try attempt("delete", name) { () throws(ServerError) in
                try folders.retire(name)
                return try folders.setAside(name)
            }
        } catch {
            state.withLock { state in
                state.members[name] = member
                state.access = Access(policies: before)
            }
            throw error
        }
        tellShards { step in .close(name, policies, step) }
        member.hub.close()
        for shard in mailboxes.all { shard.forget(name) }
        launcher.database?.remove([gone])
        remove(aside, of: name)
        state.withLock { $0.retired = ($0.retired + [gone]).suffix(RetiredHubs.hubsMax) }
        tellLanes()
        logger.notice("hub deleted", metadata: ["hub": "\(name)"])
        return member.stored.description
    }

    /// A new hub with the credentials that its definition brings.
    private func given(
        _ stored: StoredHub,
        _ definition: HubDefinition,
        _ hub: ShardHub
    ) throws(Refusal) -> StoredHub {
        guard !definition.credentials.isEmpty else { return stored }
        var given = stored
        do throws(Refusal) {
            let member = Member(stored: stored, hub: hub)
            given.credentials = try credentials(of: member, changedBy: definition)
            let whole = given
            try attempt("update", stored.name) { () throws(ServerError) in
                try folders.update(whole)
            }
        } catch {
            hub.close()
            discard(stored.name)
            throw error
        }
        return given
    }

    // MARK: The namespace

    /// Makes one key of a rule of the namespace anew.
    func renew(_ key: RuleKey, of name: String) -> Result<HubRule, Refusal> {
        do throws(Refusal) {
            let (isClosed, before) = state.withLock { ($0.isClosed, $0.namespace) }
            guard !isClosed else { throw .stopping }
            guard let place = before.firstIndex(where: { $0.rule.name == name }) else {
                throw .invalid(field: "rule", reason: "is no access rule of the namespace.")
            }
            var rules = before
            rules[place] = try rules[place].renewing(
                key,
                now: Clock.now.time,
                newKey: HubKeys.newKey
            )
            let changed = rules
            let policies = try policies.replacing(namespace: changed.map(\.rule))
            try attempt("renew", "the namespace") { () throws(ServerError) in
                try folders.namespace.write(changed)
            }
            tellShards { step in .policies(policies, step) }
            state.withLock { state in
                state.namespace = changed
                state.access = Access(policies: policies)
            }
            logger.notice("key of the namespace changed", metadata: ["key": "\(key.rawValue)"])
            return .success(changed[place])
        } catch { return .failure(error) }
    }

    // MARK: Steps

    /// Has other nodes find the keys as they are now, before a change is answered.
    func kept<Changed>(_ result: Result<Changed, Refusal>) -> Result<Changed, Refusal> {
        guard case .success = result, let database = launcher.database else { return result }
        do throws(ServerError) {
            try database.keepKeys()
            return result
        } catch {
            logger.error("keys are not in the database yet", metadata: ["reason": "\(error)"])
            return .failure(.storeUnanswered(retryAfterSeconds: 5))
        }
    }

    /// Takes back a hub whose stores cannot be opened.
    private func discard(_ name: HubName) {
        do throws(ServerError) {
            remove(try folders.setAside(name), of: name)
        } catch {
            logger.error(
                "a hub that could not be opened is left behind",
                metadata: ["hub": "\(name)", "reason": "\(error)"]
            )
        }
    }

    /// Removes files; those that do not go now go at the next start.
    private func remove(_ path: String, of name: HubName) {
        do throws(ServerError) {
            try folders.remove(path)
        } catch {
            logger.warning(
                "files of a deleted hub are left until the next start",
                metadata: ["hub": "\(name)", "reason": "\(error)"]
            )
        }
    }

    /// Posts to every shard and waits until each has taken it or has ended.
    private func tellShards(_ mail: (ShardConfirmation) -> ShardOrder) {
        let group = DispatchGroup()
        for shard in mailboxes.all { shard.insist(on: mail(ShardConfirmation(group))) }
        if group.wait(timeout: .now() + .seconds(Self.shardSeconds)) == .timedOut {
            logger.error("a shard does not answer; a change of hubs goes on without it")
        }
    }

    /// Runs what the disk may refuse; the operator reads why.
    private func attempt<Value>(
        _ action: String,
        _ name: some CustomStringConvertible,
        _ body: () throws(ServerError) -> Value
    ) throws(Refusal) -> Value {
        do throws(ServerError) {
            return try body()
        } catch {
            logger.error(
                "hub not changed",
                metadata: ["hub": "\(name)", "action": "\(action)", "reason": "\(error)"]
            )
            throw .storeUnavailable(retryAfterSeconds: 5)
        }
    }
}
