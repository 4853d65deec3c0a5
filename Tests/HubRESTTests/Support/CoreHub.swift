import HubDirectory
@testable import HubHarness
import HubHistory
import HubMemory
import HubModel
import HubREST
import HubRules
import HubVocabulary
import Synchronization
import Testing

/// The real access rules and the real directory of one hub named `news`, over a log that keeps
/// nothing; a hub named `other` has rules of the same names with keys of its own.
final class CoreHub: FakeServer {
    /// Key texts; the rules have the names that every hub and namespace begins with.
    static let fullKey = "c2VsZi1ob3N0ZWQtaHViLWRlbW8ta2V5LTAwMDE="
    static let listenKey = "listen-key"
    static let sendKey = "send-key"
    static let otherKey = "key-of-another-hub"
    static let rootKey = "key-of-the-namespace"

    /// Keeps changes and forgets records; a commit ends as a test says.
    private struct Store: WriterStore {
        let storage: MemoryStore
        var result = CommitResult()

        var bounds: LogBounds { storage.bounds }

        func commit(_ group: CommitGroup) -> CommitResult? {
            if result.changes == nil { _ = storage.commit(changes: group.changes, records: []) }
            return result
        }

        func checkpoint(_ batch: CheckpointBatch) throws(StoreError) {
            try storage.checkpoint(batch)
        }

        func forgetKeys(before time: Timestamp) throws(StoreError) -> Bool {
            try storage.forgetKeys(before: time)
        }

        func probe() {}

        func tidy(now: Now, retention: RecordRetention) throws(StoreError) -> TidyResult {
            try storage.tidy(now: now, retention: retention)
        }
    }

    private let state: Mutex<PromptHub<Store>>
    private let policies: AccessPolicies
    private let hubs = FakeNamespace(["news", "other"])

    init(listenMaySetProtectedTags: Bool = false) throws {
        let news = try #require(HubName("news"))
        let other = try #require(HubName("other"))
        policies = try AccessPolicies(
            names: ["hub.example.net", "localhost"],
            namespace: [Self.rule(AccessRule.rootName, Self.rootKey, AccessRight.allCases)],
            hubs: [
                news: [
                    Self.rule(AccessRule.fullName, Self.fullKey, AccessRight.allCases),
                    Self.rule(AccessRule.listenName, Self.listenKey, [.listen]),
                    Self.rule(AccessRule.sendName, Self.sendKey, [.send]),
                ],
                other: [Self.rule(AccessRule.fullName, Self.otherKey, AccessRight.allCases)],
            ]
        )
        let storage = MemoryStore(newEpoch: 1)
        let directory = try Hub(
            hub: news,
            secret: #require(HubSecret([UInt8](repeating: 7, count: 32))),
            storage: storage,
            limits: .standard,
            protected: ProtectedTags(listenMaySet: listenMaySetProtectedTags),
            seed: 1,
            now: Self.now
        )
        state = Mutex(PromptHub(directory, store: Store(storage: storage), now: Self.now))
    }

    private static func rule(
        _ name: String,
        _ key: String,
        _ rights: [AccessRight]
    ) throws -> AccessRule {
        try AccessRule(name: name, primaryKey: key, secondaryKey: "second", rights: rights)
    }

    private static var now: Now { Now(instant: Instant(nanoseconds: 0), time: FakeHub.time) }

    var now: Timestamp { FakeHub.time }

    func linkSigner(of hub: HubName) -> LinkSigner? {
        guard hub.description == "news" else { return nil }
        return HubSecret([UInt8](repeating: 7, count: 32)).map { LinkSigner(secret: $0, hub: hub) }
    }

    var problems: [HubProblem] { [] }

    /// What every later commit ends with.
    func commits(end result: CommitResult) { state.withLock { $0.store.result = result } }

    func authorize(_ request: AccessRequest) throws(Refusal) -> AccessGrant {
        try policies.authorize(request, now: now)
    }

    func authorizeNamespace(
        _ request: NamespaceAccessRequest
    ) throws(Refusal) -> AccessGrant {
        try policies.authorizeNamespace(request, now: now)
    }

    func hub(_ name: HubName) throws(Refusal) -> HubDescription { try hubs.hub(name) }

    func hubs(skip: Int, limit: Int) -> ListPage<HubDescription, Int> {
        hubs.hubs(skip: skip, limit: limit)
    }

    func submit(
        _ change: NamespaceChange,
        reply: @escaping @Sendable (Result<HubDescription, Refusal>) -> Void
    ) {
        reply(Result { () throws(Refusal) in try hubs.run(change) })
    }

    func submit<Request: HubRequest>(
        _ request: Request,
        to hub: HubName,
        reply: @escaping @Sendable (Result<Request.Reply, Refusal>) -> Void
    ) {
        let call = request.call(reply)
        for answer in state.withLock({ $0.answers(to: call, now: Self.now) }) { answer.give() }
    }

    /// A token as a client makes it: its audience, and the full or the Listen rule.
    static func token(_ resource: String, isListen: Bool = false) -> String {
        SharedAccessSigner(
            keyName: isListen ? AccessRule.listenName : AccessRule.fullName,
            key: isListen ? listenKey : fullKey
        ).token(for: resource, expiry: FakeHub.time.adding(seconds: 600))
    }
}
