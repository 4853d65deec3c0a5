import HubModel
import HubRules
import HubTags
import HubVocabulary
import Synchronization

/// A hub service that records what it is asked and keeps registrations in memory.
///
/// A token is the text of its rights (`Listen`, `Send+Manage`), or the name of what is wrong with it.
final class FakeHub: HubService {
    struct State {
        var access: [AccessRequest] = []
        var commands: [HubCommand] = []
        var registrations: [Registration] = []
        var deleted: Set<[UInt8]> = []
        var installations: [[UInt8]: Installation] = [:]
        var nextNumber: UInt32 = 0
        var refusal: Refusal?
        var reply: HubReply?
        var problems: [String] = []
        var now = FakeHub.time
        var isSilent = false
        var departures: [DepartureRow] = []
        var departureLimits = CoreLimits.standard
        /// By the number above which they are asked for.
        var failures: [UInt32: FailurePart] = [:]
        var details: NotificationDetails?
        /// How often access is still granted before every key is gone; nil for ever.
        var grantsLeft: Int?
    }

    /// 2026-05-04T09:12:03.123Z.
    static let time = Timestamp(milliseconds: 1_777_885_923_123)
    static let sent = NotificationID(high: 0x019D_F1C0_D7E3_7B5A, low: 0x917D_5C0A_9BE8_3F10)

    private let state = Mutex(State())
    let hubs = FakeNamespace(["news"])

    var now: Timestamp { state.withLock { $0.now } }

    var problems: [String] { state.withLock { $0.problems } }

    func metrics(reply: @escaping @Sendable (String) -> Void) { reply("belfry_connections 1\n") }

    func linkSigner(of hub: HubName) -> LinkSigner? {
        guard hub.description == "news" else { return nil }
        return HubSecret([UInt8](repeating: 9, count: 32)).map { LinkSigner(secret: $0, hub: hub) }
    }

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    func read<Value: Sendable>(_ body: (State) -> Value) -> Value { state.withLock { body($0) } }

    func authorize(_ request: AccessRequest) throws(Refusal) -> AccessGrant {
        let isGranted = state.withLock { state in
            state.access.append(request)
            guard let left = state.grantsLeft else { return true }
            state.grantsLeft = max(0, left - 1)
            return left > 0
        }
        guard isGranted else { throw .signatureInvalid }
        guard let header = request.authorization else { throw .tokenMissing }
        let token = String(decoding: header, as: UTF8.self)
        let broken: [String: Refusal] = [
            "malformed": .tokenMalformed(reason: "The part 'se' is missing."),
            "forged": .signatureInvalid, "expired": .tokenExpired, "foreign": .audienceMismatch,
        ]
        if let refusal = broken[token] { throw refusal }
        guard request.hub.description == "news" else {
            throw .hubNotFound(name: request.hub.description)
        }
        let rights = AccessRight.allCases.filter { token.contains($0.name) }
        let grant = AccessGrant(rule: token, rights: rights)
        guard grant.has(request.right) else { throw .missingRight(request.right) }
        return grant
    }

    func authorizeNamespace(
        _ request: NamespaceAccessRequest
    ) throws(Refusal) -> AccessGrant {
        guard let header = request.authorization else { throw .tokenMissing }
        let token = String(decoding: header, as: UTF8.self)
        let grant = AccessGrant(
            rule: "root",
            rights: AccessRight.allCases.filter { token.contains($0.name) }
        )
        guard grant.has(request.right) else { throw .missingRight(request.right) }
        return grant
    }

    func submit(
        _ command: NamespaceCommand,
        reply: @escaping @Sendable (Result<NamespaceReply, Refusal>) -> Void
    ) {
        if let refusal = read({ $0.refusal }) { return reply(.failure(refusal)) }
        reply(Result { () throws(Refusal) in try hubs.run(command) })
    }

    func submit(
        _ command: HubCommand,
        to hub: HubName,
        reply: @escaping @Sendable (Result<HubReply, Refusal>) -> Void
    ) {
        let result: Result<HubReply, Refusal>? = state.withLock { state in
            state.commands.append(command)
            if state.isSilent { return nil }
            if let refusal = state.refusal { return .failure(refusal) }
            if let reply = state.reply { return .success(reply) }
            do throws(Refusal) {
                return .success(try state.run(command))
            } catch {
                return .failure(error)
            }
        }
        if let result { reply(result) }
    }
}

extension FakeHub.State {
    mutating func run(_ command: HubCommand) throws(Refusal) -> HubReply {
        switch command {
        case .send: return .accepted(FakeHub.sent, sequence: 17)
        case .sendAll(let drafts):
            return .acceptedAll(
                drafts.indices.map {
                    .success(AcceptedSend(id: FakeHub.sent, sequence: 17 + UInt64($0)))
                }
            )
        case .getSettings, .changeSettings, .purge: return .settings(HubSettings(.standard))
        case .testSend: return .tested(TestOutcome(notification: nil, results: []))
        case .reserveRegistrationID: return .reserved(id: newID())
        case .createRegistration(let content, _):
            return .registration(store(content, id: newID()))
        case .putRegistration(let id, let content, let condition, _):
            if deleted.contains(id) { throw .registrationGone }
            try check(condition, index(of: id))
            return .registration(store(content, id: id))
        case .getRegistration(let id):
            guard let index = index(of: id) else { throw .registrationNotFound }
            return .registration(registrations[index])
        case .deleteRegistration(let id, let condition, _):
            guard let index = index(of: id) else { throw .registrationNotFound }
            try check(condition, index)
            registrations.remove(at: index)
            deleted.insert(id)
            return .deleted
        case .listRegistrations(let filter, let after, let limit):
            let all = registrations.filter { $0.number > after && matches($0, filter) }
            let page = Array(all.prefix(limit))
            return .registrations(page, next: all.count > limit ? page.last?.number : nil)
        case .notificationDetails:
            guard let details else { throw .notificationNotFound }
            return .details(details)
        case .failures(_, let start):
            guard let part = failures[start] else { throw .notificationNotFound }
            return .failures(part)
        case .explain: return .explained([Explanation(reason: .unknownNotification)])
        case .schedule, .cancelSchedule, .getSchedule, .listSchedules: throw .scheduleNotFound
        case .createJob, .getJob, .listJobs, .reportJob: throw .jobNotFound
        case .revokeDevice: throw .deviceNotFound
        case .departures(let question): return .departures(answer(question))
        case .putInstallation, .patchInstallation, .getInstallation, .deleteInstallation,
            .listInstallations:
            return try runInstallation(command)
        case .inspect(.tags): return .inspected(InspectedPart(found: .tags([]), next: nil))
        case .inspect(.audience):
            return .inspected(InspectedPart(found: .audience(InspectedAudience()), next: nil))
        }
    }

    /// As the directory answers, but in the simplest way.
    private func answer(_ question: DepartureQuestion) -> DepartureAnswer {
        switch question {
        case .rows(let numbers):
            let rows = departures.filter { numbers.contains($0.number) }
            return .rows(Array(rows.prefix(departureLimits.departuresPerAnswer)))
        case .parts(let start):
            var parts: [DeparturePart] = []
            for row in departures where row.number >= start {
                let day = row.time.milliseconds / 86_400_000
                let block = row.number / departureLimits.departuresPerPart
                if let last = parts.indices.last, parts[last].day == day, parts[last].block == block
                {
                    parts[last].numbers = parts[last].numbers.lowerBound...row.number
                    parts[last].modified = row.time
                } else if parts.count == departureLimits.departurePartsPerAnswer {
                    return .parts(parts, next: row.number)
                } else {
                    let numbers = row.number...row.number
                    parts.append(
                        DeparturePart(day: day, block: block, numbers: numbers, modified: row.time)
                    )
                }
            }
            return .parts(parts, next: nil)
        }
    }

    private mutating func runInstallation(_ command: HubCommand) throws(Refusal) -> HubReply {
        switch command {
        case .putInstallation(let draft, _):
            let stored = Installation(
                number: InstallationNumber(UInt32(installations.count + 1)),
                id: draft.id,
                platform: draft.platform,
                text: draft.text,
                expires: draft.expires
            )
            installations[draft.id] = stored
            return .installation(stored, channelExpired: false)
        case .getInstallation(let id), .patchInstallation(let id, _, _):
            guard let found = installations[id] else { throw .installationNotFound }
            return .installation(found, channelExpired: false)
        case .deleteInstallation(let id, _):
            installations[id] = nil
            return .deleted
        case .listInstallations(_, let after, let limit):
            let all = installations.values.sorted { $0.number < $1.number }
            let page = all.filter { $0.number > after }.prefix(limit)
            return .installations(
                Array(page),
                matched: page.count,
                next: nil,
                total: all.count
            )
        default: throw .internalError(reference: 2)
        }
    }

    private func index(of id: [UInt8]) -> Int? { registrations.firstIndex { $0.id == id } }

    private func check(_ condition: WriteCondition, _ index: Int?) throws(Refusal) {
        if condition == .none { return }
        guard let index else { throw .registrationNotFound }
        if condition != .exists, condition != .version(registrations[index].version) {
            throw .versionMismatch
        }
    }

    private func matches(_ registration: Registration, _ filter: RegistrationFilter) -> Bool {
        switch filter {
        case .all: true
        case .tag(let tag): registration.tags.contains(tag.span)
        case .handle(let handles): handles.contains(registration.content.handle)
        }
    }

    private mutating func newID() -> [UInt8] {
        nextNumber += 1
        return Array("7001330912837465122-\(nextNumber)-1".utf8)
    }

    private mutating func store(_ content: RegistrationContent, id: [UInt8]) -> Registration {
        if let index = index(of: id) {
            registrations[index].content = content
            registrations[index].version += 1
            return registrations[index]
        }
        let stored = Registration.sample(
            content,
            number: UInt32(registrations.count) + 1,
            id: id
        )
        registrations.append(stored)
        return stored
    }
}

extension Registration {
    /// A stored registration in its first version.
    static func sample(
        _ content: RegistrationContent,
        number: UInt32 = 1,
        id: [UInt8] = Array("7001330912837465122-2214650983310098712-1".utf8),
        granted: TagSet = TagSet(),
        expires: Timestamp? = nil
    ) -> Registration {
        Registration(
            number: RegistrationNumber(number),
            id: id,
            version: 1,
            content: content,
            granted: granted,
            target: nil,
            template: nil,
            since: LogPlace(epoch: 1, sequence: 1),
            tagsSince: LogPlace(epoch: 1, sequence: 1),
            expires: expires,
            created: FakeHub.time,
            modified: FakeHub.time
        )
    }
}
