import HubDirectory
import HubHistory
import HubModel
import HubREST
import HubRules
import HubTags
import HubVocabulary
import Synchronization

/// A hub service that records what it is asked and keeps registrations in memory.
///
/// A token is the text of its rights (`Listen`, `Send+Manage`), or the name of what is wrong with it.
final class FakeHub: FakeServer {
    struct State {
        var access: [AccessRequest] = []
        /// What it was asked, in order.
        var requests: [any HubRequest] = []
        var registrations: [Registration] = []
        var deleted: Set<[UInt8]> = []
        var installations: [[UInt8]: Installation] = [:]
        var nextNumber: UInt32 = 0
        var refusal: Refusal?
        /// What every request is answered with, instead of what the hub would say.
        var reply: (any Sendable)?
        var problems: [HubProblem] = []
        var cluster: ClusterReport?
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

    var problems: [HubProblem] { state.withLock { $0.problems } }

    func linkSigner(of hub: HubName) -> LinkSigner? {
        guard hub.description == "news" else { return nil }
        return HubSecret([UInt8](repeating: 9, count: 32)).map { LinkSigner(secret: $0, hub: hub) }
    }

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    func read<Value: Sendable>(_ body: (State) -> Value) -> Value { state.withLock { body($0) } }

    func cluster() async -> ClusterReport? { read(\.cluster) }

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

    /// The last request, if it is of this kind.
    func last<Request: HubRequest>(_ kind: Request.Type) -> Request? {
        read { $0.requests.last } as? Request
    }

    func hub(_ name: HubName) throws(Refusal) -> HubDescription {
        if let refusal = read({ $0.refusal }) { throw refusal }
        return try hubs.hub(name)
    }

    func hubs(skip: Int, limit: Int) throws(Refusal) -> ListPage<HubDescription, Int> {
        if let refusal = read({ $0.refusal }) { throw refusal }
        return hubs.hubs(skip: skip, limit: limit)
    }

    func submit(
        _ change: NamespaceChange,
        reply: @escaping @Sendable (Result<HubDescription, Refusal>) -> Void
    ) {
        if let refusal = read({ $0.refusal }) { return reply(.failure(refusal)) }
        reply(Result { () throws(Refusal) in try hubs.run(change) })
    }

    func submit<Request: HubRequest>(
        _ request: Request,
        to hub: HubName,
        reply: @escaping @Sendable (Result<Request.Reply, Refusal>) -> Void
    ) {
        let result: Result<Request.Reply, Refusal>? = state.withLock { state in
            state.requests.append(request)
            if state.isSilent { return nil }
            if let refusal = state.refusal { return .failure(refusal) }
            do throws(Refusal) {
                var said = state.reply
                if said == nil, let request = request as? any FakeAnswered {
                    said = try request.answer(&state)
                }
                guard let said = said as? Request.Reply else {
                    throw .internalError(reference: 2)
                }
                return .success(said)
            } catch {
                return .failure(error)
            }
        }
        if let result { reply(result) }
    }
}

extension FakeHub.State {
    func index(of id: [UInt8]) -> Int? { registrations.firstIndex { $0.id == id } }

    func check(_ condition: WriteCondition, _ index: Int?) throws(Refusal) {
        if condition == .none { return }
        guard let index else { throw .registrationNotFound }
        if condition != .exists, condition != .version(registrations[index].version) {
            throw .versionMismatch
        }
    }

    mutating func newID() -> [UInt8] {
        nextNumber += 1
        return Array("7001330912837465122-\(nextNumber)-1".utf8)
    }

    mutating func store(_ content: RegistrationContent, id: [UInt8]) -> Registration {
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
