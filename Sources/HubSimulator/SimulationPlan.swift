import HubVocabulary

/// The choices of a seed before the run begins: sizes, limits, and which faults there are.
struct SimulationPlan {
    /// How much a process of the hub keeps in memory.
    struct Bounds {
        /// Records that are read without asking the store.
        var recentRecords: Int
        /// Feed items that a shard may leave unread.
        var feedItemsMax: Int
        /// Mail that a shard may leave unread.
        var mailMax: Int
    }

    var shards: Int
    var devices: Int
    /// Milliseconds between two wake-ups of the hub's loops.
    var tickMilliseconds: UInt64
    /// Milliseconds between two operations, on average.
    var operationMilliseconds: UInt64
    var enabled: [Bool]
    /// One operation in so many is a fault.
    var faultOneIn: UInt64
    var bounds: Bounds
    /// Whether senders use collapse keys.
    var collapses: Bool
    /// Whether the store removes records owed to no device, and how many it removes together.
    var trims: Bool
    var sliceRecords: UInt64
    /// Whether an operator changes settings, and purges.
    var operators: (changeSettings: Bool, purge: Bool)
    var session: SessionLimits
    var core: CoreLimits
    /// Records of a device's window, by device.
    var windows: [UInt16]

    /// Whether senders have requests with many sends: every other seed, so that the runs of the
    /// others stay what they were.
    var sendsMany: Bool

    /// The nodes; nil for one hub on its own disk.
    private(set) var nodes: NodePlan?

    init(_ random: inout SeededRandom, seed: UInt64) {
        sendsMany = !seed.isMultiple(of: 2)
        shards = Int(random.next() % 3) + 1
        devices = Int(random.next() % 5) + 2
        tickMilliseconds = [250, 500, 1_000][Int(random.next() % 3)]
        operationMilliseconds = [15, 40, 120][Int(random.next() % 3)]
        faultOneIn = [4, 6, 10, 20][Int(random.next() % 4)]
        bounds = Bounds(
            recentRecords: [0, 2, 16, 1_000][Int(random.next() % 4)],
            feedItemsMax: [2, 6, 64][Int(random.next() % 3)],
            mailMax: [2, 8, 1_000, 1_000][Int(random.next() % 4)]
        )
        collapses = random.next() % 2 == 0
        let cap = [3, 8, 10_000, 10_000][Int(random.next() % 4)]
        operators = (random.next() % 2 == 0, random.next() % 2 == 0)
        enabled = FaultKind.allCases.map { kind in
            guard !kind.isOfNodes else { return false }
            let chance: UInt64
            switch kind {
            // What fills one is drawn.
            case .fullMailbox: return true
            case .restoredBackup, .lostWrites: chance = 2
            case .reinstall, .deviceRollback, .clockForward, .clockBack: chance = 4
            default: chance = 5
            }
            return random.next() % 8 < chance
        }
        var session = SessionLimits()
        session.catchUp.pageRecords = [1, 3, 16, 256][Int(random.next() % 4)]
        session.catchUp.pagesPerTurn = [1, 4, 32][Int(random.next() % 3)]
        session.timers.acknowledgementDelay = [1, 20, 200][Int(random.next() % 3)]
        session.catchUp.missedMatchesMax = [0, 40, 80, 1 << 20][Int(random.next() % 4)]
        session.timers.cursorMilliseconds = [100, 500][Int(random.next() % 2)]
        self.session = session
        var core = CoreLimits.standard
        core.telemetry.recentNotificationsMax = 64
        core.devices.deviceCap = cap
        // The rates are tested elsewhere; here they would only slow registrations down.
        core.devices.deviceChanges = RateLimit(perSecond: 1_000, burst: 100_000)
        core.idempotency.idempotencyKeysMax = [2, 16, 1_000][Int(random.next() % 3)]
        core.registrations.formerTagSetsMax = [2, 8, 64][Int(random.next() % 3)]
        core.devices.recountRecordsMax = [4, 65_536][Int(random.next() % 2)]
        trims = random.next() % 4 < 3
        sliceRecords = [1, 4, 16][Int(random.next() % 3)]
        core.log.recordsKeptSeconds = [0, 30, 3_600, 604_800][Int(random.next() % 4)]
        core.idempotency.idempotencyKeptSeconds = 86_400
        // Small groups, so that a request needs several.
        if sendsMany { core.log.groupMax = [4, 8, 128][Int(random.next() % 3)] }
        self.core = core
        windows = []
        for _ in 0..<devices { windows.append([1, 2, 5, 32][Int(random.next() % 4)]) }
    }

    /// Has the hub be in a database, with nodes that lead it in turn.
    mutating func addNodes(seed: UInt64) {
        var random = SeededRandom(seed: ~seed)
        nodes = NodePlan(&random)
        for kind in FaultKind.allCases where kind.isOfNodes {
            enabled[kind.rawValue] = random.next() % 8 < 5
        }
        // In files a key goes with its record.
        let isShort = core.log.recordsKeptSeconds < core.idempotency.idempotencyKeptSeconds
        if isShort, nodes?.usesKeys == true { core.log.recordsKeptSeconds = 604_800 }
        // A database that loses what it kept ends all nodes, and begins an epoch.
        enabled[FaultKind.lostWrites.rawValue] = false
    }
}
