import HubDelivery
import HubDirectory
import HubMemory
import HubModel
import HubQuestions
import HubRules
import HubTags
import HubVocabulary
import HubWire
import Testing

/// A hub with its shards, directory and store in one process: no thread, no socket, one clock that
/// only the test moves, one seed.
final class WholeHub {
    static let name = "main"

    /// A shard in a box, since cores are not copied.
    final class Shard {
        var loop: ShardLoop<Never>
        let output = Wires()

        init(_ core: consuming ShardCore) { loop = ShardLoop(core) }
    }

    /// The surroundings of a shard; reads and closed connections wait until its turn is over.
    private struct Surroundings: ShardSurroundings {
        unowned let whole: WholeHub
        let output: Wires
        /// Whether the shard asked for anything.
        var isUsed = false
        /// Reads of the log that it asked for.
        var reads = 0
        var closing: [ConnectionID] = []

        func carryOut(_ order: Never, on core: inout ShardCore, now: Now) {}

        mutating func submit(_ request: DirectoryRequest, of hub: HubName) -> Bool {
            isUsed = true
            guard !whole.hasFullWriter else { return false }
            whole.directory.receive(request, now: whole.now)
            return true
        }

        func recentRecords(for query: LogQuery, of hub: HubName) -> [NotificationRecord]? { nil }

        mutating func read(_ query: LogQuery, of hub: HubName) {
            isUsed = true
            reads += 1
            whole.heldReads.append(query)
        }

        func forgetRead(of device: DeviceID, sessionGeneration: UInt64, of hub: HubName) {
            whole.heldReads.removeAll {
                $0.device == device && $0.sessionGeneration == sessionGeneration
            }
        }

        func applied(_ page: LogPage, of hub: HubName) {}

        func applied(_ feeds: [HubName: FeedLoad]) {}

        func tell(_ step: DeliveryStep, of hub: HubName) { whole.steps.append(step) }

        func markAuthenticated(_ connection: ConnectionID) {}

        mutating func close(_ connection: ConnectionID, afterFlush: Bool) {
            isUsed = true
            closing.append(connection)
        }
    }

    /// The far ends of a shard's connections.
    final class Wires: ShardOutput {
        var written: [UInt32: [UInt8]] = [:]
        /// Connections whose socket is full.
        var full: Set<UInt32> = []
        var writes = 0

        func room(in connection: ConnectionID) -> Int {
            full.contains(connection.slot) ? 0 : 65_536
        }

        func write(_ bytes: Span<UInt8>, to connection: ConnectionID) {
            precondition(bytes.count <= 65_536, "more than a turn holds")
            writes += 1
            for index in bytes.indices {
                written[connection.slot, default: []].append(bytes[index])
            }
        }
    }

    let disk: MemoryDisk
    let store: MemoryStore
    let directory: Hub
    private var writer: WriterLoop
    let shards: [Shard]
    let hub: HubName
    let listenKey = "bGlzdGVuLWtleS1mb3ItdGVzdHMtMDAwMDAwMDAwMDE="
    var now = Now(
        instant: Instant(nanoseconds: 1_000_000_000_000),
        time: Timestamp(milliseconds: 1_900_000_000_000)
    )
    var events: [DirectoryEvent] = []
    /// Steps of followed notifications.
    var steps: [DeliveryStep] = []
    /// Closed by the shard: slot and shard.
    var closed: [ConnectionAddress] = []
    /// Messages held back from shards, to play a slow one.
    var holdsBackFeed = false
    var heldBack: [(shard: Int, message: ShardMessage)] = []
    /// Whether the writer has no room for requests of shards.
    var hasFullWriter = false
    /// Holds back reads of the log, to play a slow reader.
    var holdsBackReads = false
    private(set) var heldReads: [LogQuery] = []
    /// Places whose records cannot be read.
    var damaged: Set<UInt64> = []
    /// When shards want a tick, those that do.
    private(set) var ticks: [Int: Instant] = [:]
    /// Pages of the log asked for in each turn of a shard.
    var readsOfTurns: [Int] = []
    private var lastSlot: UInt32 = 0

    init(
        shards count: Int = 1,
        disk: MemoryDisk = MemoryDisk(),
        seed: UInt64 = 1,
        limits: SessionLimits = SessionLimits(),
        deviceCap: Int = CoreLimits.standard.devices.deviceCap
    ) throws {
        self.disk = disk
        store = MemoryStore(disk: disk, newEpoch: 0xABCD_0001)
        let hub = try #require(HubName(Self.name))
        self.hub = hub
        let secret = try #require(HubSecret(Array(repeating: 7, count: 32)))
        var core = CoreLimits.standard
        core.devices.deviceCap = deviceCap
        directory = try Hub(
            hub: hub,
            secret: secret,
            storage: store,
            limits: core,
            protected: ProtectedTags(),
            shards: count,
            seed: seed,
            now: now
        )
        writer = WriterLoop(hub: directory, now: now)
        let listen = try AccessRule(
            name: AccessRule.listenName,
            primaryKey: listenKey,
            secondaryKey: "second",
            rights: [.listen]
        )
        let policies = try AccessPolicies(
            names: ["localhost"],
            namespace: [],
            hubs: [hub: [listen]]
        )
        let configuration = ShardHubConfiguration(
            name: hub,
            secret: secret,
            bounds: store.bounds,
            headCheck: try store.reader.check(at: store.bounds.head) ?? 0,
            deviceCap: deviceCap,
            purgedThrough: directory.settings.purgedThrough
        )
        let now = now
        shards = (0..<count).map { number in
            Shard(
                ShardCore(
                    shard: number,
                    hubs: [configuration],
                    policies: policies,
                    limits: limits,
                    seed: seed &+ UInt64(number),
                    now: now
                )
            )
        }
    }

    // MARK: Time

    /// Moves both clocks and lets every shard and the directory look at their deadlines.
    func advance(milliseconds: UInt64) {
        var left = milliseconds
        while left > 0 {
            let step = min(left, 100)
            left -= step
            now.instant = now.instant.adding(milliseconds: step)
            now.time = Timestamp(milliseconds: now.time.milliseconds + step)
            for number in shards.indices {
                run(number) { $0.tick(in: &$1, now: now) }
            }
            directory.tick(now: now)
            runUntilIdle()
        }
    }

    // MARK: The loop

    /// Runs turns until no part has anything to do.
    func runUntilIdle() {
        for _ in 0..<10_000 {
            var isBusy = commitAll()
            for number in shards.indices where turn(number) { isBusy = true }
            if !isBusy { return }
        }
        preconditionFailure("the hub does not come to rest")
    }

    /// Commits all that the directory has; whether there was anything to do.
    private func commitAll() -> Bool {
        var store = PromptStore(storage: store)
        var output = KeptActions()
        _ = writer.commitAll(store: &store, output: &output) { now }
        for action in output.actions { perform(action) }
        return !output.actions.isEmpty
    }

    private func perform(_ action: DirectoryAction) {
        switch action {
        case .answer(let answer): answer.give()
        case .feed(let item):
            for number in shards.indices { deliver(.feed(item), to: number) }
        case .message(let shard, let message): deliver(message, to: shard)
        case .broadcast(let message):
            for number in shards.indices { deliver(message, to: number) }
        case .runJob: break
        case .event(let event): events.append(event)
        }
    }

    private func deliver(_ message: ShardMessage, to shard: Int) {
        if holdsBackFeed {
            heldBack.append((shard, message))
        } else {
            receive(message, on: shard)
        }
    }

    /// Makes durable what shards have reported.
    func checkpoint() throws {
        if let batch = directory.checkpoint(now: now) { try store.checkpoint(batch) }
    }

    /// Lets shards report, and makes it durable.
    func report() throws {
        advance(milliseconds: 600)
        try checkpoint()
    }

    /// What became of a notification.
    func details(_ name: NotificationName) throws -> NotificationDetails {
        let details = try #require(run(GetDetails(name))).get()
        return details
    }

    /// Sends, and names what was accepted.
    func send(_ draft: NotificationDraft) throws -> NotificationName {
        let sent = try #require(run(Send(draft))).get()
        return NotificationName(id: sent.id, sequence: sent.sequence)
    }

    /// Hands over what was held back.
    func releaseFeed() {
        holdsBackFeed = false
        let messages = heldBack
        heldBack = []
        for (shard, message) in messages {
            receive(message, on: shard)
        }
        runUntilIdle()
    }

    /// One turn of a shard; whether it did anything.
    func turn(_ number: Int) -> Bool {
        let shard = shards[number]
        let before = shard.output.writes
        if !holdsBackReads { answerReads(of: number) }
        var due: Instant?
        let used = run(number) { due = $0.endTurn(in: &$1, now: now) }
        readsOfTurns.append(used.reads)
        ticks[number] = due
        return used.isUsed || shard.output.writes != before || due == now.instant
    }

    /// Runs a part of a shard's turn; what the shard asked for.
    @discardableResult
    private func run(
        _ number: Int,
        _ part: (inout ShardLoop<Never>, inout Surroundings) -> Void
    ) -> Surroundings {
        let shard = shards[number]
        var surroundings = Surroundings(whole: self, output: shard.output)
        part(&shard.loop, &surroundings)
        for connection in surroundings.closing {
            closed.append(ConnectionAddress(shard: number, connection: connection))
            shard.loop.core.closed(connection, now: now)
        }
        return surroundings
    }

    private func receive(_ message: ShardMessage, on shard: Int) {
        run(shard) { $0.receive([.hub(hub, message)], in: &$1, now: now) }
    }

    /// Answers the reads that are held back now; those that follow are held back again.
    func answerReads() {
        for number in shards.indices { answerReads(of: number) }
        runUntilIdle()
    }

    private func answerReads(of shard: Int) {
        let due = heldReads.filter { $0.address.shard == shard }
        heldReads.removeAll { $0.address.shard == shard }
        for query in due {
            let log = DamagedLog(log: store.reader, damaged: damaged)
            let page = try? query.page(from: log, now: now.time)
            receive(.page(page ?? LogPage(failing: query)), on: shard)
        }
    }

    // MARK: Callers

    /// A Listen token that holds for an hour.
    var listenToken: [UInt8] {
        let text = SharedAccessSigner(keyName: AccessRule.listenName, key: listenKey).token(
            for: "sb://localhost/\(Self.name)",
            expiry: now.time.adding(seconds: 3_600)
        )
        return Array(text.utf8)
    }

    /// Opens a connection on a shard.
    func connect(
        shard: Int = 0,
        exporter: UInt8 = 1,
        from network: DeviceID = DeviceID(high: 0, low: 0xFFFF_7F00_0001),
        loopback: Bool = true,
        certificate: DeviceCertificate = .none
    ) -> ConnectionAddress {
        lastSlot += 1
        let id = ConnectionID(slot: lastSlot, generation: lastSlot)
        let peer = PeerIdentity(
            address: network,
            isLoopback: loopback,
            exporter: Array(repeating: exporter, count: 32),
            certificate: certificate
        )
        shards[shard].loop.core.opened(id, peer: peer, now: now)
        return ConnectionAddress(shard: shard, connection: id)
    }

    /// Sends bytes of a device.
    func input(_ bytes: [UInt8], from address: ConnectionAddress) {
        shards[address.shard].loop.core.receive(bytes.span, from: address.connection, now: now)
    }

    /// Takes what was written to a device.
    func output(to address: ConnectionAddress) -> [UInt8] {
        shards[address.shard].output.written.removeValue(forKey: address.connection.slot) ?? []
    }

    /// The device's end of the stream broke.
    func cut(_ address: ConnectionAddress) {
        shards[address.shard].loop.core.closed(address.connection, now: now)
        runUntilIdle()
    }

    /// Runs a command to its reply; nil while there is none.
    @discardableResult
    func run<Request: HubRequest>(_ request: Request) -> Result<Request.Reply, Refusal>? {
        let asked = Asked<Request.Reply>()
        directory.receive(request.call { asked.take($0) }, now: now)
        runUntilIdle()
        return asked.reply
    }

    /// Makes or changes a registration with every right; fails the test when it is refused.
    func store<Request: HubRequest>(_ request: Request) throws -> Registration
    where Request.Reply == Registration {
        try #require(run(request)).get()
    }

    /// Queues a send without letting anything run.
    func queue(_ draft: NotificationDraft) {
        directory.receive(Send(draft).call { _ in }, now: now)
    }
}

extension WholeHub {
    /// A native Apple send.
    static func apple(
        _ text: String,
        tags: String? = nil,
        timeToLive: TimeToLive = .seconds(3_600),
        key: String = "",
        priority: NotificationPriority = .normal
    ) throws -> NotificationDraft {
        var target = NotificationTarget.broadcast
        if let tags { target = .tags(try TagExpression(parsing: Array(tags.utf8))) }
        return NotificationDraft(
            format: .native(.apple),
            target: target,
            body: Array(#"{"aps":{"alert":"\#(text)"}}"#.utf8),
            timeToLive: timeToLive,
            collapseKey: Array(key.utf8),
            priority: priority
        )
    }
}
