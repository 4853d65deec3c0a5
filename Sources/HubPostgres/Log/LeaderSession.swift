import HubCluster
import HubModel

/// A leader's connection, and what is known of what was sent on it.
///
/// Nothing returns in doubt: where an answer is lost the row `head` is asked under its lock, and the
/// same is sent again until it is known. An old connection may carry out later what its client thinks
/// lost, so a number is never given to other contents. Source: Decisions/CommitsInDoubt.
struct LeaderSession {
    /// Where the session stands behind the last call.
    private enum State {
        case connected(PostgresConnection)
        /// The connection was lost; `hasWaited` once a call has waited in vain.
        case away(hasWaited: Bool)
        /// Another leader has the hub, or the lead was given up.
        case fenced
        case closed
    }

    private let database: PostgresDatabase
    private let hub: Int64
    private let fence: UInt64
    private let limits: PostgresLogLimits
    private let tell: @Sendable (DatabaseNews) -> Void
    private var state: State
    /// When the database was last told to be lost; nil while it answers.
    private var lostAt: ContinuousClock.Instant?

    init(
        _ database: PostgresDatabase,
        hub: Int64,
        fence: UInt64,
        _ connection: PostgresConnection,
        _ limits: PostgresLogLimits,
        tell: @escaping @Sendable (DatabaseNews) -> Void
    ) {
        self.database = database
        self.hub = hub
        self.fence = fence
        self.limits = limits
        self.tell = tell
        state = .connected(connection)
    }

    /// A statement that begins with hub and fence.
    func fenced(
        _ statement: PostgresStatement,
        _ fill: (inout PostgresValues) -> Void = { _ in }
    ) -> PostgresCommand {
        PostgresCommand(statement) { values in
            values.append(hub)
            values.append(fence)
            fill(&values)
        }
    }

    /// Stores something: sends it until it is known to be stored.
    ///
    /// `verdict` judges the row `head` after a lost answer.
    /// - Throws: `.fenced` also when a doubt was not resolved in time; otherwise nothing was stored.
    mutating func resolve(
        _ commands: [PostgresCommand],
        _ verdict: (GroupPlace) -> DoubtVerdict
    ) throws(StoreError) {
        var isInDoubt = false
        let start = ContinuousClock.now
        while true {
            let failure: PostgresError
            switch attempt(commands, isInDoubt: isInDoubt, verdict) {
            case .stored: return noteAnswer()
            case .fenced: throw giveUp()
            case .failed(let error): failure = error
            }
            // A fence that refuses may be that of a first attempt which came late.
            if !isInDoubt, failure.isInDoubt || failure.refusal == .fence {
                isInDoubt = true
                tell(.inDoubt)
            }
            guard isInDoubt || failure.isTransient else { throw failure.storeError }
            noteLoss(failure)
            let elapsed = start.duration(to: .now)
            if isInDoubt, let resolving, elapsed > resolving { throw giveUp() }
            if !isInDoubt, elapsed > patience { throw wait(for: failure) }
            PostgresPause.of(limits.pause)
        }
    }

    /// Stores something that is begun anew from what the database has, when it fails.
    mutating func once(_ commands: [PostgresCommand]) throws(StoreError) -> [PostgresRows] {
        let failure: PostgresError
        do throws(PostgresError) {
            return try connected().run(commands)
        } catch { failure = error }
        if case .fenced = state { throw .fenced }
        guard failure.refusal == .fence else { throw failure.storeError }
        // Either the fence refused it, or an earlier attempt that came late.
        let fence = fence
        switch attempt([], isInDoubt: true, { $0.fence == fence ? .stored : .fenced }) {
        case .stored, .failed: throw failure.storeError
        case .fenced: throw giveUp()
        }
    }

    /// Reads something that the leader alone writes.
    mutating func read(_ commands: [PostgresCommand]) throws(StoreError) -> [PostgresRows] {
        let start = ContinuousClock.now
        while true {
            let failure: PostgresError
            do throws(PostgresError) {
                let rows = try connected().run(commands)
                noteAnswer()
                return rows
            } catch { failure = error }
            if case .fenced = state { throw .fenced }
            guard failure.isInDoubt || failure.isTransient else { throw failure.storeError }
            noteLoss(failure)
            if start.duration(to: .now) > patience { throw wait(for: failure) }
            PostgresPause.of(limits.pause)
        }
    }

    /// Ends the connection; nothing can be stored any more.
    mutating func close() {
        if case .connected(let connection) = state { connection.close() }
        state = .closed
    }

    // MARK: Attempts

    private enum Outcome {
        case stored
        case fenced
        case failed(PostgresError)
    }

    private mutating func attempt(
        _ commands: [PostgresCommand],
        isInDoubt: Bool,
        _ verdict: (GroupPlace) -> DoubtVerdict
    ) -> Outcome {
        if case .fenced = state { return .fenced }
        do throws(PostgresError) {
            let connection = try connected()
            if isInDoubt {
                let row = try connection.run(PostgresCommand(HeadRow.readLocked) { $0.append(hub) })
                // A hub that is gone has no row.
                guard let found = try HeadRow.place(row, nil) else { return .fenced }
                switch verdict(found) {
                case .stored: return .stored
                case .fenced, .otherHistory: return .fenced
                case .missing: break
                }
            }
            _ = try connection.run(commands)
            return .stored
        } catch {
            // The primary that it was is a standby now.
            if error.refusal == .readOnly { disconnect() }
            return .failed(error)
        }
    }

    /// The connection, made anew when it was lost.
    private mutating func connected() throws(PostgresError) -> PostgresConnection {
        switch state {
        case .connected(let connection):
            if connection.isOpen { return connection }
            state = .away(hasWaited: false)
        case .away: break
        case .fenced, .closed: throw .unreachable("the lead of the hub was given up")
        }
        do throws(PostgresError) {
            let connection = try database.connect(preparing: LogStatements.all)
            state = .connected(connection)
            return connection
        } catch {
            // Nothing was sent on it yet that could be in doubt.
            throw error.isInDoubt ? .unreachable("\(error)") : error
        }
    }

    private mutating func disconnect() {
        if case .connected(let connection) = state { connection.close() }
        state = .away(hasWaited: false)
    }

    /// For how long a call may wait that has stored nothing yet.
    private var patience: Duration {
        if case .away(hasWaited: true) = state { return .zero }
        return database.patience.lasts ? limits.waiting : .zero
    }

    /// For how long a doubt may last; nil for ever.
    private var resolving: Duration? { database.patience.lasts ? limits.resolving : .zero }

    // MARK: News

    private mutating func noteLoss(_ failure: PostgresError) {
        // A fence that refuses, or a deadlock, is an answer.
        guard lostAt == nil, failure.isInDoubt || failure.refusal == nil else { return }
        lostAt = .now
        tell(.lost("\(failure)"))
    }

    private mutating func noteAnswer() {
        guard let lostAt else { return }
        self.lostAt = nil
        tell(.regained(lostAt.duration(to: .now)))
    }

    private mutating func wait(for failure: PostgresError) -> StoreError {
        if case .away = state { state = .away(hasWaited: true) }
        return failure.storeError
    }

    private mutating func giveUp() -> StoreError {
        close()
        state = .fenced
        return .fenced
    }
}
