import HubDirectory
import HubMemory
import HubModel
import HubStore

// Nodes that wait: every second one follows, with its copy and in memory; the others read at the end.
extension Cluster {
    private var storeLimits: StoreLimits {
        var limits = StoreLimits()
        limits.sliceRecordsMax = plan.sliceRecords
        limits.clockDoubtMilliseconds = 0
        return limits
    }

    /// Has a node that waits take what its copy lacks.
    func follow(_ node: SimulatedNode) {
        guard node.follows, reaches(node) else { return }
        do throws(StoreError) {
            if node.standby == nil {
                node.standby = try StandbyCopy(
                    folder: node.folder.path,
                    limits: storeLimits,
                    observer: WarmDirectory(seed: UInt64(node.number)),
                    numbersLeftOut: plan.numbersLeftOut
                )
            }
            let standing = try node.standby?.follow(database.tables.reading)
            if standing == .ahead, !mayBeAhead {
                world.violate("node \(node.number) is ahead of an epoch that was begun")
            }
        } catch {
            world.violate("node \(node.number) does not follow: \(error)")
        }
    }

    /// The store of a hub that a node leads now, and its registrations where it has followed.
    func beginStore(
        _ log: SimulatedGroupLog,
        of node: SimulatedNode,
        epochSeed: UInt64
    ) throws(StoreError) -> (store: ClusterStore, warm: WarmDirectory?) {
        if let standby = node.standby {
            node.standby = nil
            let store = try ClusterStore(groups: log, taking: standby, epochSeed: epochSeed)
            return (store, standby.observer as? WarmDirectory)
        }
        let store = try ClusterStore(
            groups: log,
            folder: node.folder.path,
            epochSeed: epochSeed,
            limits: storeLimits,
            numbersLeftOut: plan.numbersLeftOut
        )
        return (store, nil)
    }

    /// Ends with its node's run, or because its node loses its folder.
    func stopFollowing(_ node: SimulatedNode) {
        node.standby?.close()
        node.standby = nil
    }
}
