import Dispatch
import Foundation
import HubCluster
import HubPostgres
import HubVocabulary
import Logging
import Metrics
import Synchronization

/// The thread that waits for the lead of a database's hubs, and keeps it.
final class LeadKeeper: Sendable {
    private struct State {
        var lease: Lease
        var clock: ClockWatch
        var node: LeadingNode
        /// As last read; nil before the first answer.
        var row: LeadRow?
        /// Who has taken the lead away.
        var lost: LeadRow?
        var isStarted = false
        var isEnding = false
        var onLoss: (@Sendable (LeadRow) -> Void)?
        var onAsked: (@Sendable () -> Void)?
        var onRow: (@Sendable (LeadRow) -> Void)?
        var waiting: [@Sendable () -> Void] = []
    }

    private let database: PostgresDatabase
    private let limits: LeaseLimits
    private let logger: Logger
    private let state: Mutex<State>
    private let wake = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    /// A lease that is to be released is worth so many attempts.
    private static let releases = 2

    init(
        _ database: PostgresDatabase,
        place: NodePlace,
        shape: NodeShape,
        limits: LeaseLimits,
        logger: Logger
    ) {
        self.database = database
        self.limits = limits
        self.logger = logger
        let node = LeadingNode(
            run: UInt64.random(in: 1...UInt64(Int64.max)),
            name: Self.machine,
            address: place.rest.description,
            devices: place.devices.description,
            shape: shape
        )
        let lease = Lease(run: node.run, limits: limits, now: Self.now)
        let clock = ClockWatch(margin: limits.margin)
        state = Mutex(State(lease: lease, clock: clock, node: node))
    }

    /// Begins to want the lead; more calls do nothing.
    func start() {
        let isFirst = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted
        }
        guard isFirst else { return }
        Thread.detachNewThread { [self] in keep() }
    }

    /// Gives the lead up, or the wait for it; blocks until another node may have it.
    func end() {
        let isRunning = state.withLock { state in
            defer { state.isEnding = true }
            return state.isStarted && !state.isEnding
        }
        guard isRunning else { return }
        wake.signal()
        ended.wait()
    }

    // MARK: Questions

    /// Whether no other node can lead now.
    var leads: Bool { state.withLock { $0.lease.leads(at: Self.now) } }

    /// The term of the lead; nil when another has it.
    var term: UInt64? { state.withLock { $0.lease.term } }

    /// Who leads, as last heard; nil before the first answer.
    var row: LeadRow? { state.withLock { $0.row } }

    /// Whether a node leads that listens at another place than this one.
    var isLedElsewhere: Bool {
        state.withLock { state in
            guard let row = state.row, row.isHeld else { return false }
            return (row.node, row.address) != (state.node.name, state.node.address)
        }
    }

    /// Has others see where the node listens.
    func listens(at place: NodePlace) {
        state.withLock { state in
            state.node.address = place.rest.description
            state.node.devices = place.devices.description
        }
    }

    /// This run, as no other is numbered.
    var run: UInt64 { state.withLock { $0.node.run } }

    /// Has each answer about the lead told, from now on; on the thread that asks.
    func whenHeard(_ body: @escaping @Sendable (LeadRow) -> Void) {
        state.withLock { $0.onRow = body }
    }

    /// Has others see which limits hold from now on.
    func holds(_ limits: [String: String]) {
        state.withLock { state in
            let release = state.node.shape.release
            state.node.shape = NodeShape(release: release, limits: limits)
        }
    }

    /// This run, as others see it.
    var node: LeadingNode { state.withLock { $0.node } }

    /// Waits until an answer satisfies a condition, or the wait is over; whether one did.
    func wait(within limit: Duration, until holds: (LeadKeeper) -> Bool) -> Bool {
        let deadline = DispatchTime.now() + .nanoseconds(Int(limit / .nanoseconds(1)))
        while !holds(self) {
            let answered = DispatchSemaphore(value: 0)
            state.withLock { $0.waiting.append { answered.signal() } }
            // An answer that came between is found by the next look.
            if holds(self) { return true }
            guard answered.wait(timeout: deadline) == .success else { return holds(self) }
        }
        return true
    }

    /// Has the end of the lead told, also one that has been.
    func whenLost(_ body: @escaping @Sendable (LeadRow) -> Void) {
        let lost = state.withLock { state in
            state.onLoss = body
            return state.lost
        }
        if let lost { body(lost) }
    }

    /// Has the wish that another leads told, at each answer that has it.
    func whenAsked(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.onAsked = body }
    }

    // MARK: The thread

    private func keep() {
        let lead = PostgresLead(database, state.withLock { $0.node }, limits: limits)
        while let pause = nextPause {
            guard pause == 0 else {
                _ = wake.wait(timeout: .now() + .milliseconds(Int(pause)))
                continue
            }
            turn(lead)
        }
        leave(lead)
        ended.signal()
    }

    /// Milliseconds until there is something to ask; nil when there is nothing any more.
    private var nextPause: UInt64? {
        state.withLock { state in
            state.isEnding ? nil : state.lease.pause(now: Self.now)
        }
    }

    private func turn(_ lead: PostgresLead) {
        let sent = Self.now
        let (request, node) = state.withLock { ($0.lease.request(now: sent), $0.node) }
        guard let request else { return }
        lead.node = node
        do throws(PostgresError) {
            receive(try lead.ask(request), sent: sent)
        } catch {
            state.withLock { $0.lease.fail(now: Self.now) }
            logger.debug("the lead cannot be asked for", metadata: ["reason": "\(error)"])
        }
        let left = state.withLock { $0.lease.left(at: Self.now) }
        Gauge(label: "belfry_lease_left_seconds").record(Double(left) / 1_000)
    }

    private func receive(_ row: LeadRow, sent: Instant) {
        let now = Self.now
        let step = state.withLock { $0.clock.receive(row.clock, sent: sent, received: now) }
        if let step { tellStep(step) }
        let (news, waiting, onLoss, onAsked, onRow) = state.withLock { state in
            let news = state.lease.receive(row, sent: sent, now: now)
            state.row = row
            if case .lost = news { state.lost = row }
            defer { state.waiting = [] }
            return (news, state.waiting, state.onLoss, state.onAsked, state.onRow)
        }
        onRow?(row)
        for body in waiting { body() }
        guard let news else { return }
        tell(news)
        if case .lost(let row) = news { onLoss?(row) }
        if case .asked = news { onAsked?() }
    }

    private func tell(_ news: LeaseNews) {
        switch news {
        case .follows(let row):
            guard row.isHeld else { return }
            logger.notice(
                "standby: another node leads",
                metadata: ["node": "\(row.node)", "address": "\(row.address)"]
            )
        case .took(let term):
            logger.notice("this node leads", metadata: ["term": "\(term)"])
            count("taken")
            Gauge(label: "belfry_term").record(term)
        case .asked: logger.notice("another node is to lead: this one hands over")
        case .lost(let row):
            logger.error(
                "the lead is lost: another node has it",
                metadata: ["node": "\(row.node)", "address": "\(row.address)"]
            )
            count("lost")
        }
        let leads = state.withLock { $0.lease.term != nil }
        Gauge(label: "belfry_leads").record(leads ? 1 : 0)
    }

    /// The way to the node that leads, which others may still reach.
    func tellWay(to node: String, at address: String, isReached: Bool) {
        logger.log(
            level: isReached ? .notice : .warning,
            "the node that leads is \(isReached ? "reached again" : "not reached")",
            metadata: ["node": "\(node)", "address": "\(address)"]
        )
        count(isReached ? "reached" : "unreached")
    }

    /// A lease by this clock ends at another time than its node believes.
    private func tellStep(_ milliseconds: Int64) {
        logger.warning(
            "the database's clock was set, or is another host's now",
            metadata: ["milliseconds": "\(milliseconds)"]
        )
        count("clock_stepped")
    }

    private func count(_ event: String) {
        Counter(label: "belfry_lead_events_total", dimensions: [("event", event)]).increment()
    }

    private func leave(_ lead: PostgresLead) {
        let request = state.withLock { $0.lease.end() }
        var attempts = request == nil ? 0 : Self.releases
        while attempts > 0, let request {
            attempts -= 1
            do throws(PostgresError) {
                _ = try lead.ask(request)
                attempts = 0
            } catch {
                // The lease ends by itself a little later.
                logger.warning("the lead is not released", metadata: ["reason": "\(error)"])
            }
        }
        // Its row is forgotten after a day.
        try? lead.leave()
        lead.close()
    }

    // MARK: The machine

    private static let origin = ContinuousClock.now

    /// By a clock that goes on while the machine sleeps.
    private static var now: Instant {
        // Far from the beginning, for what lies before.
        let elapsed = origin.duration(to: .now) + .seconds(1)
        return Instant(nanoseconds: UInt64(max(0, elapsed / .nanoseconds(1))))
    }

    /// A name of the machine has 64 bytes at most.
    private static let nameBytes = 65

    /// Asked of the kernel: the service's `/proc` has processes alone, and no names.
    static var machine: String {
        var bytes = [CChar](repeating: 0, count: nameBytes)
        // The array lives through the call, and has the length that is told.
        let isTold = unsafe gethostname(&bytes, nameBytes) == 0
        let name = bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
        return isTold && !name.isEmpty ? String(decoding: name, as: UTF8.self) : "localhost"
    }
}
