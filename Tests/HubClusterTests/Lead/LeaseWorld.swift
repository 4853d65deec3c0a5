import HubCluster
import HubTestSupport
import HubVocabulary

/// Nodes that lead one hub of a database in turn, under a seed.
///
/// Time is in milliseconds. Clocks of nodes begin anywhere and go up to 1 % wrong. Requests and answers
/// come late or never, and a request is carried out also when its sender gave it up. Nodes freeze,
/// and are killed.
struct LeaseWorld {
    struct Node {
        var lease: Lease
        /// Milliseconds that its clock makes in 1,000.
        var rate: UInt64
        var offset: UInt64
        var isAlive = true
        var frozenUntil: UInt64 = 0
        /// The number of the request under way, when it was sent and given up.
        var waiting: (id: Int, sent: Instant, deadline: UInt64)?
        /// The fence under which it commits.
        var fence: UInt64?
        /// When it gives up waiting for its hub to open.
        var opensUntil: UInt64 = 0
        /// What it believed when it last looked; for a mistake.
        var believed = false
    }

    enum Event {
        case turn(Int, run: UInt64)
        case lead(Int, run: UInt64, id: Int, LeaseRequest)
        case answer(Int, run: UInt64, id: Int, LeadRow)
        case open(Int, run: UInt64, term: UInt64)
        case opened(Int, run: UInt64, fence: UInt64)
        case work(Int)
        case commit(run: UInt64, fence: UInt64)
        case fault
    }

    private let mistake: LeaseMistake?
    private let limits = LeaseLimits()
    private var random: SeededGenerator
    private(set) var time: UInt64 = 0
    private var events: [(at: UInt64, event: Event)] = []
    private(set) var nodes: [Node] = []
    private var runs: UInt64 = 0
    private var ids = 0
    private var isCalm = false
    // The database.
    private var row = LeadRow()
    private var until: UInt64 = 0
    private var fence: UInt64 = 0
    private var awayUntil: UInt64 = 0
    private(set) var commits = 0
    /// What must not happen, and has.
    private(set) var violations: [String] = []

    init(seed: UInt64, mistake: LeaseMistake? = nil) {
        self.mistake = mistake
        random = SeededGenerator(seed: seed)
        for number in 0..<(2 + random.below(3)) {
            let rate = UInt64(990 + random.below(21))
            let offset = UInt64(random.below(1_000_000))
            let lease = Lease(run: 0, now: Instant(nanoseconds: 0))
            nodes.append(Node(lease: lease, rate: rate, offset: offset))
            start(number)
            add(.work(number), after: 100)
        }
        add(.fault, after: 1_000)
    }

    /// The term that the database knows.
    var term: UInt64 { row.term }

    /// Nodes that believe to lead, by their own clocks.
    var believers: [Int] {
        nodes.indices.filter { number in
            let node = nodes[number]
            guard node.isAlive else { return false }
            if mistake == .believesForEver { return node.believed }
            return node.lease.leads(at: clock(number))
        }
    }

    /// Lets events happen for a while.
    mutating func run(for duration: UInt64) {
        let end = time + duration
        while let next = events.indices.min(by: { events[$0].at < events[$1].at }),
            events[next].at <= end
        {
            let (at, event) = events.remove(at: next)
            time = max(time, at)
            carryOut(event)
            let believers = believers
            if believers.count > 1 { violations.append("\(time): nodes \(believers) lead") }
        }
        time = end
    }

    /// No fault happens from now on, and every node is there.
    mutating func calm() {
        isCalm = true
        awayUntil = time
        for number in nodes.indices {
            nodes[number].frozenUntil = time
            if !nodes[number].isAlive { start(number) }
        }
    }

    /// Ends a node for good.
    mutating func kill(_ number: Int) { nodes[number].isAlive = false }

    // MARK: Nodes

    private func clock(_ number: Int) -> Instant {
        Instant(nanoseconds: (nodes[number].offset * 1_000 + time * nodes[number].rate) * 1_000)
    }

    private mutating func start(_ number: Int) {
        runs += 1
        nodes[number].lease = Lease(run: runs, limits: limits, now: clock(number))
        nodes[number].isAlive = true
        nodes[number].waiting = nil
        nodes[number].fence = nil
        nodes[number].believed = false
        add(.turn(number, run: runs), after: 1)
    }

    private mutating func add(_ event: Event, after delay: UInt64) {
        events.append((time + delay, event))
    }

    /// Sends something to the database: it is late, or lost.
    private mutating func send(_ event: Event) {
        if isCalm { return add(event, after: UInt64(1 + random.below(20))) }
        guard random.below(20) > 0 else { return }
        let isLate = random.below(10) == 0
        add(event, after: UInt64(1 + random.below(isLate ? 5_000 : 50)))
    }

    private mutating func answer(_ event: Event) {
        if isCalm { return add(event, after: UInt64(1 + random.below(20))) }
        guard random.below(20) > 0 else { return }
        add(event, after: UInt64(1 + random.below(random.below(5) == 0 ? 990 : 50)))
    }

    /// Whether a node can do something now; a frozen one does it when it goes on.
    private mutating func canGoOn(_ number: Int, _ event: Event) -> Bool {
        let node = nodes[number]
        guard node.isAlive else { return false }
        guard node.frozenUntil <= time else {
            events.append((node.frozenUntil, event))
            return false
        }
        return true
    }

    private mutating func carryOut(_ event: Event) {
        switch event {
        case .turn(let number, let run):
            guard nodes[number].lease.run == run, canGoOn(number, event) else { return }
            turn(number)
        case .lead(let number, let run, let id, let request):
            lead(number, run: run, id: id, request)
        case .answer(let number, let run, let id, let row):
            guard nodes[number].lease.run == run, canGoOn(number, event) else { return }
            receive(number, id: id, row)
        case .open(let number, let run, let term): open(number, run: run, term: term)
        case .opened(let number, let run, let fence):
            guard nodes[number].lease.run == run, canGoOn(number, event) else { return }
            if nodes[number].lease.term != nil { nodes[number].fence = fence }
        case .work(let number): work(number, event)
        case .commit(let run, let fence): commit(run: run, fence: fence)
        case .fault: fault()
        }
    }

    private mutating func turn(_ number: Int) {
        let now = clock(number)
        if let waiting = nodes[number].waiting {
            if time >= waiting.deadline {
                nodes[number].waiting = nil
                nodes[number].lease.fail(now: now)
            }
        }
        guard let pause = nodes[number].lease.pause(now: now) else { return }
        if nodes[number].waiting == nil, pause == 0,
            let request = nodes[number].lease.request(now: now)
        {
            ids += 1
            nodes[number].waiting = (ids, now, time + 1_000)
            send(.lead(number, run: nodes[number].lease.run, id: ids, request))
        }
        let next = nodes[number].waiting.map { $0.deadline - time } ?? pause
        add(.turn(number, run: nodes[number].lease.run), after: max(1, min(next, 100)))
    }

    private mutating func receive(_ number: Int, id: Int, _ row: LeadRow) {
        guard let waiting = nodes[number].waiting, waiting.id == id, time < waiting.deadline else {
            return
        }
        nodes[number].waiting = nil
        let now = clock(number)
        let sent = mistake == .believesFromAnswer ? now : waiting.sent
        switch nodes[number].lease.receive(row, sent: sent, now: now) {
        case .took(let term):
            nodes[number].believed = true
            nodes[number].opensUntil = time + 1_500
            send(.open(number, run: nodes[number].lease.run, term: term))
        // Its program ends, and is started again.
        case .lost: start(number)
        case .follows, .asked, nil: break
        }
    }

    private mutating func work(_ number: Int, _ event: Event) {
        add(event, after: 100)
        let node = nodes[number]
        guard node.isAlive, node.frozenUntil <= time else { return }
        if let fence = node.fence {
            send(.commit(run: node.lease.run, fence: fence))
        } else if node.lease.term != nil, time >= node.opensUntil {
            start(number)
        }
    }

    // MARK: The database

    private var isAway: Bool { time < awayUntil }

    private mutating func lead(_ number: Int, run: UInt64, id: Int, _ request: LeaseRequest) {
        guard !isAway else { return }
        switch request {
        case .look: break
        case .take(let over):
            guard row.term == over, until <= time || mistake == .takesEarly else { break }
            row = LeadRow(term: over + 1, holder: run, node: "n\(number)", address: "", left: 0)
            until = time + limits.lease
            if mistake != .takesWithoutFence { fence += 1 }
        case .renew(let term):
            if mistake == .renewsAnyTerm { row.holder = run }
            guard mistake == .renewsAnyTerm || row.term == term, row.holder == run else { break }
            row.term = term
            until = time + limits.lease
        case .release(let term):
            if row.term == term, row.holder == run { until = time }
        }
        var found = row
        found.left = until > time ? until - time : 0
        answer(.answer(number, run: run, id: id, found))
    }

    private mutating func open(_ number: Int, run: UInt64, term: UInt64) {
        guard !isAway, row.term == term || mistake == .opensWithoutTerm else { return }
        fence += 1
        answer(.opened(number, run: run, fence: fence))
    }

    private mutating func commit(run: UInt64, fence: UInt64) {
        guard !isAway, fence == self.fence || mistake == .commitsWithoutFence else { return }
        commits += 1
        guard row.holder != run else { return }
        violations.append("\(time): run \(run) commits, and \(row.holder) leads")
    }

    private mutating func fault() {
        guard !isCalm else { return }
        add(.fault, after: UInt64(200 + random.below(4_000)))
        let number = random.below(nodes.count)
        switch random.below(6) {
        case 0:
            nodes[number].isAlive = false
        case 1: awayUntil = time + UInt64(random.below(6_000))
        case 2, 3: nodes[number].frozenUntil = time + UInt64(random.below(8_000))
        default:
            for number in nodes.indices where !nodes[number].isAlive { start(number) }
        }
    }
}
