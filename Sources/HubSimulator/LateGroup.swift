import HubCluster
import HubMemory
import HubModel

/// A group that was sent, and whose sender has ended.
struct LateGroup {
    let group: CommitGroup
    let log: MemoryGroupLog
    let run: UInt64
    /// The database's past at that time: what it was set back from carries nothing out.
    let past: Int

    /// Has the database carry it out, unless another leads; whether it is stored.
    func arrive() -> Bool {
        let head = log.place.head
        do throws(StoreError) {
            try log.append(
                log.place.next(group.changes, group.records),
                GroupEffect(group.changes, head: head)
            )
            return true
        } catch { return false }
    }
}
