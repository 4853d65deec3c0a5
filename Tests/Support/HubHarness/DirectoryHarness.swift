import HubDirectory
import HubMemory
import HubModel
import HubQuestions
import HubRules
import HubTags
import HubTemplates
import HubVocabulary
import HubWire
import Testing

/// A directory with a store in memory, driven as its owner drives it.
final class DirectoryHarness {
    let storage: MemoryStore
    let directory: Hub
    private var writer: WriterLoop
    /// Every action so far, in order.
    private(set) var actions: [DirectoryAction] = []
    var now: Now

    static let hub = HubName("news")
    static let secret = HubSecret((0..<32).map { UInt8($0) })

    init(
        storage: MemoryStore = MemoryStore(),
        limits: CoreLimits = .standard,
        protected: ProtectedTags = ProtectedTags(),
        warm: WarmDirectory? = nil,
        seed: UInt64 = 1
    ) throws {
        self.storage = storage
        now = Now(
            instant: Instant(nanoseconds: 1_000_000_000),
            time: Timestamp(milliseconds: 1_700_000_000_000)
        )
        directory = try Hub(
            hub: try #require(Self.hub),
            secret: try #require(Self.secret),
            storage: storage,
            limits: limits,
            protected: protected,
            warm: warm,
            seed: seed,
            now: now
        )
        writer = WriterLoop(hub: directory, now: now)
        collect()
    }

    /// The same store, opened again.
    func reopened(limits: CoreLimits = .standard) throws -> DirectoryHarness {
        let harness = try DirectoryHarness(storage: storage, limits: limits, seed: 2)
        harness.now = now
        return harness
    }

    // MARK: Driving

    func collect() { take(directory.takeActions()) }

    private func take(_ new: [DirectoryAction]) {
        for case .answer(let answer) in new { answer.give() }
        actions += new
    }

    /// Hands in a command without carrying it out.
    func submit<Request: HubRequest>(_ request: Request) -> Asked<Request.Reply> {
        let asked = Asked<Request.Reply>()
        directory.receive(request.call { asked.take($0) }, now: now)
        return asked
    }

    /// The same for a request of whatever kind.
    func submitAny(_ request: some HubRequest) -> any AnyAsked { submit(request) }

    /// Carries out everything that waits, group by group.
    func run() {
        var store = PromptStore(storage: storage)
        var output = KeptActions()
        _ = writer.commitAll(store: &store, output: &output) { now }
        take(output.actions)
    }

    func perform<Request: HubRequest>(
        _ request: Request
    ) throws -> Result<Request.Reply, Refusal> {
        let asked = submit(request)
        run()
        return try #require(asked.reply)
    }

    func pass(milliseconds: UInt64) {
        now.instant = now.instant.adding(milliseconds: milliseconds)
        now.time = Timestamp(milliseconds: now.time.milliseconds + milliseconds)
    }

    /// Makes durable what is due.
    func checkpoint() throws(StoreError) {
        if let batch = directory.checkpoint(now: now) { try storage.checkpoint(batch) }
    }

    /// The cursors of the next checkpoint.
    func movedCursors() -> [StoredCursor] { directory.checkpoint(now: now)?.cursors ?? [] }

    // MARK: Looking

    var feed: [FeedItem] {
        actions.compactMap { if case .feed(let item) = $0 { item } else { nil } }
    }

    var events: [DirectoryEvent] {
        actions.compactMap { if case .event(let event) = $0 { event } else { nil } }
    }

    var messages: [ShardMessage] {
        actions.compactMap { if case .message(_, let message) = $0 { message } else { nil } }
    }

    func forget() { actions.removeAll() }

    // MARK: REST

    static let manage = AccessGrant(rule: "full", rights: [.listen, .send, .manage])
    static let listen = AccessGrant(rule: "listen", rights: [.listen])

    func create(
        _ content: RegistrationContent,
        _ grant: AccessGrant = manage
    ) throws -> Registration {
        try perform(CreateRegistration(content, grant)).get()
    }

    func put(
        _ id: [UInt8],
        _ content: RegistrationContent,
        _ condition: WriteCondition = .none,
        _ grant: AccessGrant = manage
    ) throws -> Registration {
        try perform(PutRegistration(id: id, content, condition, grant)).get()
    }

    func get(_ id: [UInt8]) throws -> Registration {
        try perform(GetRegistration(id: id)).get()
    }

    func refusal(_ request: some HubRequest) throws -> Refusal? {
        if case .failure(let refusal) = try perform(request) { refusal } else { nil }
    }

    func send(_ count: Int = 1) throws {
        for _ in 0..<count { _ = try perform(Send(Given.draft())) }
    }

    // MARK: Devices

    func handle(_ device: DeviceID, generation: UInt32 = 0) throws -> [UInt8] {
        PushHandle(
            device: device,
            hub: try #require(Self.hub),
            secret: try #require(Self.secret),
            generation: generation
        ).text
    }

    func address(_ number: UInt32, shard: Int = 0) -> ConnectionAddress {
        ConnectionAddress(shard: shard, connection: ConnectionID(slot: number, generation: 1))
    }

    @discardableResult
    func attach(
        _ device: DeviceID,
        at number: UInt32 = 1,
        instance: UInt64 = 1,
        position: Position = .none,
        isNew: Bool = false,
        generation: UInt32 = 0
    ) throws -> AttachReply {
        let before = actions.count
        directory.receive(
            .attach(
                AttachRequest(
                    address: address(number),
                    device: device,
                    keyGeneration: generation,
                    instance: instance,
                    position: position,
                    isNew: isNew
                )
            ),
            now: now
        )
        run()
        for case .message(_, .attached(let reply)) in actions[before...] { return reply }
        throw Unexpected(what: "\(actions[before...])")
    }

    func request(
        _ request: DeviceRequest,
        of session: AttachReply,
        reference: UInt16 = 1
    ) throws -> DeviceOutcome {
        let before = actions.count
        directory.receive(
            .device(
                session.device,
                sessionGeneration: session.sessionGeneration,
                session.address,
                reference: reference,
                request
            ),
            now: now
        )
        run()
        for case .message(_, .outcome(_, reference, let outcome)) in actions[before...] {
            return outcome
        }
        throw Unexpected(what: "\(actions[before...])")
    }
}
