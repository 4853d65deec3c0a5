import Dispatch
import Foundation
import HubData
import HubModel
import HubPostgres
import HubStore
import HubVocabulary
import Logging
import Metrics
import Synchronization

/// The thread of a node that waits, which keeps a copy of each hub level with the database.
///
/// Hubs that are led here next go on with these copies. Source: Decisions/StandbysFollow.
final class CopyKeeper: Sendable {
    /// Makes what hears of a hub's copy.
    typealias Observing = @Sendable () -> any CopyObserver

    private struct State {
        /// By their names in the database.
        var hubs: [String: FollowedHub] = [:]
        var isStarted = false
        var isEnding = false
    }

    /// From one look at the database to the next.
    private static let pause: DispatchTimeInterval = .milliseconds(500)
    /// Looks between two readings of the folder, where the database has no hub that is new.
    private static let looksPerReading = 20

    /// Held by who changes the folders of hubs, or opens a copy in one.
    let folders = Mutex(())

    private let database: PostgresDatabase
    private let folder: DataFolder
    private let limits: StoreLimits
    /// Ends looks that are under way, and the opening of hubs that have taken a copy.
    private let ending: StoreEnding
    private let logger: Logger
    private let state = Mutex(State())
    /// One for all hubs: a database has places for some hundred connections.
    private let link = PostgresReadLink()
    private let wake = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    init(
        _ database: PostgresDatabase,
        _ folder: DataFolder,
        limits: StoreLimits,
        ending: StoreEnding,
        logger: Logger
    ) {
        self.database = database
        self.folder = folder
        self.limits = limits
        self.ending = ending
        self.logger = logger
    }

    /// Begins to follow; more calls do nothing.
    func start(run: UInt64, _ observing: @escaping Observing) {
        let isFirst = state.withLock { state in
            guard !state.isStarted, !state.isEnding else { return false }
            state.isStarted = true
            return true
        }
        guard isFirst else { return }
        Thread.detachNewThread { [self] in keep(run, observing) }
    }

    /// Follows no longer once a look that is under way is through; the copies stay open for those that
    /// lead their hubs.
    func stop() {
        state.withLock { $0.isEnding = true }
        wake.signal()
    }

    /// Closes the copies that were not taken; blocks until its thread has ended.
    func end() {
        stop()
        let isRunning = state.withLock { state in
            defer { state.isStarted = false }
            return state.isStarted
        }
        if isRunning { ended.wait() }
        let hubs = state.withLock { state in
            defer { state.hubs = [:] }
            return state.hubs
        }
        for hub in hubs.values { hub.take()?.close() }
    }

    /// The copy of a hub that is led here now; nil where none is open.
    func take(_ hub: StoredHub) -> sending StandbyCopy? {
        let name = hub.secret.databaseName(of: hub.name)
        let found = state.withLock { $0.hubs.removeValue(forKey: name) }
        // From here on it is the leader's, and waits no more.
        if found != nil { measure(hub.name, behind: 0, isWarm: false, hasCursors: false) }
        return found?.take()
    }

    // MARK: The thread

    private var isEnding: Bool { state.withLock { $0.isEnding } }

    private func keep(_ run: UInt64, _ observing: Observing) {
        let marks = PostgresMarks(database, run: run)
        var looks = 0
        var told: PostgresMarks.Standing?
        var isCutOff = false
        while !isEnding {
            do throws(PostgresError) {
                let all = try marks.all()
                if isCutOff { logger.notice("copies follow the database again") }
                isCutOff = false
                if looks.isMultiple(of: Self.looksPerReading) || isNew(all) {
                    open(all, observing)
                }
                let standing = follow(all)
                if standing != told { try marks.note(standing) }
                if standing.isAhead, told?.isAhead != true {
                    logger.error(
                        "the database was set back: a copy here has seen more, so lead here next"
                    )
                }
                told = standing
            } catch {
                told = nil
                if !isCutOff { cutOff(error) }
                isCutOff = true
            }
            looks += 1
            if !isEnding { _ = wake.wait(timeout: .now() + Self.pause) }
        }
        marks.close()
        link.close()
        ended.signal()
    }

    /// How far the copies are behind is not known any more.
    private func cutOff(_ error: PostgresError) {
        logger.warning("copies cannot follow the database", metadata: ["reason": "\(error)"])
        for hub in state.withLock({ Array($0.hubs.values) }) {
            let name = [("hub", "\(hub.name)")]
            Gauge(label: "belfry_copy_warm", dimensions: name).record(0)
            Gauge(label: "belfry_copy_cursors_warm", dimensions: name).record(0)
        }
    }

    private func isNew(_ marks: [String: HubMark]) -> Bool {
        state.withLock { state in marks.keys.contains { state.hubs[$0] == nil } }
    }

    /// Follows each hub up to its mark; how far all are.
    private func follow(_ marks: [String: HubMark]) -> PostgresMarks.Standing {
        var standing = PostgresMarks.Standing(groups: 0, isWarm: true, isAhead: false)
        for (name, mark) in marks.sorted(by: { $0.key < $1.key }) where !isEnding {
            guard let hub = state.withLock({ $0.hubs[name] }) else {
                standing.isWarm = false
                continue
            }
            do throws(StoreError) {
                guard let progress = try hub.follow(to: mark) else { continue }
                standing.groups += progress.groups
                standing.isWarm = standing.isWarm && progress.isWarm
                standing.isAhead = standing.isAhead || progress.isAhead
                measure(hub, progress)
            } catch {
                standing.isWarm = false
                guard !ending.hasCome else { break }
                logger.warning(
                    "a copy does not follow its database",
                    metadata: ["hub": "\(hub.name)", "reason": "\(error)"]
                )
            }
        }
        return standing
    }

    private func measure(_ hub: FollowedHub, _ progress: FollowedHub.Progress) {
        for fault in progress.faults { CopyNews.report(fault, of: hub.name, to: logger) }
        if let fault = progress.cursorFault {
            logger.warning(
                "cursors do not follow their database; who leads next here reads them",
                metadata: ["hub": "\(hub.name)", "reason": "\(fault)"]
            )
        }
        measure(
            hub.name,
            behind: progress.behind,
            isWarm: progress.isWarm,
            hasCursors: progress.isWarm && progress.hasCursors
        )
    }

    private func measure(_ hub: HubName, behind: UInt64, isWarm: Bool, hasCursors: Bool) {
        let name = [("hub", "\(hub)")]
        Gauge(label: "belfry_copy_behind_groups", dimensions: name).record(behind)
        Gauge(label: "belfry_copy_warm", dimensions: name).record(isWarm ? 1 : 0)
        Gauge(label: "belfry_copy_cursors_warm", dimensions: name).record(hasCursors ? 1 : 0)
    }

    // MARK: Hubs

    /// Opens copies of the folder's hubs that the database has, and closes those of others.
    private func open(_ marks: [String: HubMark], _ observing: Observing) {
        let stored = folders.withLock { _ -> [StoredHub]? in
            do throws(ServerError) {
                return try HubFolders(folder: folder).all()
            } catch {
                logger.debug("hubs cannot be read", metadata: ["reason": "\(error)"])
                return nil
            }
        }
        guard let stored else { return }
        let named = Dictionary(
            stored.map { ($0.secret.databaseName(of: $0.name), $0) },
            uniquingKeysWith: { $1 }
        )
        let gone = state.withLock { state in
            let gone = state.hubs.filter { named[$0.key] == nil || marks[$0.key] == nil }
            for name in gone.keys { state.hubs[name] = nil }
            return gone
        }
        for hub in gone.values { hub.take()?.close() }
        for (name, hub) in named.sorted(by: { $0.key < $1.key }) where marks[name] != nil {
            guard !isEnding, state.withLock({ $0.hubs[name] }) == nil else { continue }
            open(hub, name, observing)
        }
    }

    private func open(_ hub: StoredHub, _ name: String, _ observing: Observing) {
        do {
            guard let reading = try PostgresGroupReading.of(name, in: database, on: link)
            else { return }
            try folders.withLock { _ in
                // From then on the hub itself opens it.
                guard !isEnding else { return }
                let folders = try HubFolders(folder: folder)
                // It may have gone meanwhile, with its folder.
                guard try folders.all().contains(where: { $0.name == hub.name }) else { return }
                let made = try FollowedHub(
                    hub.name,
                    reading,
                    path: folders.path(hub.name),
                    limits: limits,
                    ending: ending,
                    observing: observing
                ) { [logger] step in
                    logger.notice(
                        "following",
                        metadata: ["hub": "\(hub.name)", "step": "\(step)"]
                    )
                }
                state.withLock { $0.hubs[name] = made }
            }
        } catch {
            logger.warning(
                "a copy cannot be opened",
                metadata: ["hub": "\(hub.name)", "reason": "\(error)"]
            )
        }
    }
}
