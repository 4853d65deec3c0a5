import HubCluster
import HubMemory

/// The database of simulated nodes: the model of its tables, and the row of the lead.
///
/// Requests reach it one at a time, and what it has answered it keeps.
final class SimulatedDatabase {
    let tables = MemoryDatabase()
    private(set) var row = LeadRow()
    /// When the lease ends, by its clock.
    private var until: Int64 = 0
    /// Milliseconds by which its clock is ahead: that of the host where it runs.
    private var offset: Int64 = 0
    /// It answers nothing before this, in microseconds of the simulation.
    var awayUntil: UInt64 = 0
    /// How often it was set back.
    private(set) var past = 0
    private let limits = LeaseLimits()

    /// A state to which it may be set back.
    struct Backup {
        let tables: MemoryDatabase
        let row: LeadRow
    }

    func backup() -> Backup { Backup(tables: tables.copy(), row: row) }

    /// Loses everything that came later, the lead too.
    func setBack(to backup: Backup) {
        tables.setBack(to: backup.tables)
        row = backup.row
        until = .min
        past += 1
    }

    /// It runs on another host, or its host's clock is set: 100 ms ahead, or back again.
    func stepClock() { offset = offset == 0 ? 100 : 0 }

    /// Carries out a request of a run at a time of the simulation, in microseconds.
    func answer(_ request: LeaseRequest, of run: UInt64, _ node: Int, at time: UInt64) -> LeadRow {
        let now = Int64(time / 1_000) + offset
        let end = now + Int64(limits.lease)
        switch request {
        case .look: break
        case .take(let term):
            guard row.term == term, until < now else { break }
            row = LeadRow(term: term + 1, holder: run, node: "n\(node)", address: "", left: 0)
            until = end
            // Whatever was sent under an earlier term is refused from here on.
            _ = tables.lead()
        case .renew(let term): if row.term == term, row.holder == run { until = end }
        case .release(let term): if row.term == term, row.holder == run { until = .min }
        }
        var found = row
        found.left = until > now ? UInt64(until - now) : 0
        return found
    }

    /// Opens the hub for the leader of a term; nil when that is over.
    func open(_ term: UInt64) -> MemoryGroupLog? { row.term == term ? tables.lead() : nil }
}
