import HubModel
import HubPostgres
import HubStore
import HubVocabulary
import Logging
import Synchronization

/// Gives the lead to another node while a copy here lacks a group of its database: its disk is full, or
/// refuses to write.
///
/// The hub takes and reads nothing meanwhile. A warm node that lacks nothing has that group with its
/// records, so its own disk has taken it. Source: Decisions/OneNodeLeads.
final class LeadYield: Sendable {
    private struct State {
        var copies: [HubName: CopyWrites] = [:]
        /// When nodes were looked at last.
        var last: ContinuousClock.Instant?
        /// The operator has heard that no node is level.
        var isTold = false
        /// The hub whose copy was the reason.
        var hub: HubName?
    }

    /// For so long a copy may lack a group.
    static let patience: Duration = .seconds(10)
    /// From one look at the nodes to the next.
    private static let pause: Duration = .seconds(5)

    private let database: PostgresDatabase
    private let patience: Duration
    private let logger: Logger
    private let state = Mutex(State())

    init(_ database: PostgresDatabase, patience: Duration = LeadYield.patience, logger: Logger) {
        (self.database, self.patience, self.logger) = (database, patience, logger)
    }

    /// Looks at the copy of a hub that is led here, from now on.
    func watch(_ writes: CopyWrites, of hub: HubName) { state.withLock { $0.copies[hub] = writes } }

    /// The hub for which the lead was given away; nil while it was not.
    var hub: HubName? { state.withLock { $0.hub } }

    /// Whether `look` has something to do.
    var isDue: Bool { due() != nil }

    /// Looks for a node that is level, and promises it the lead; waits for the database.
    func look() {
        guard let (hub, error) = due() else { return }
        state.withLock { $0.last = .now }
        do throws(PostgresError) {
            guard let next = try ClusterState.read(database).levelStandby else {
                return tellOnce(hub, error)
            }
            state.withLock { $0.hub = hub }
            logger.error(
                "a copy cannot be written: the lead goes to a node that is level",
                metadata: [
                    "hub": "\(hub)", "reason": "\(error)", "node": "\(next.name)",
                    "address": "\(next.address)",
                ]
            )
            try database.promiseLead(to: next.run)
        } catch {
            // A database that is away lets no node lead; the next look tries again.
            state.withLock { $0.hub = nil }
            logger.debug("the lead is not given away", metadata: ["reason": "\(error)"])
        }
    }

    /// A hub whose copy has lacked a group for too long, and why.
    private func due() -> (hub: HubName, error: StoreError)? {
        state.withLock { state in
            let failing = state.copies.sorted { $0.key.description < $1.key.description }
                .first { $0.value.lasting.map { $0 >= patience } ?? false }
            guard let failing, let error = failing.value.error else {
                state.isTold = false
                return nil
            }
            if let last = state.last, last.duration(to: .now) < Self.pause { return nil }
            return (failing.key, error)
        }
    }

    private func tellOnce(_ hub: HubName, _ error: StoreError) {
        let isNews = state.withLock { state in
            defer { state.isTold = true }
            return !state.isTold
        }
        guard isNews else { return }
        logger.error(
            "a copy cannot be written, and no other node is level: this one keeps the lead",
            metadata: ["hub": "\(hub)", "reason": "\(error)"]
        )
    }
}
