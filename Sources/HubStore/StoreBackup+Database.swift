package import HubCluster
package import HubModel

extension StoreBackup {
    /// Makes a hub's files in `destination` of what a database holds, also while the hub is served.
    ///
    /// `checkpoints` gives cursors, counters and lanes. They are asked for first, since they may be
    /// older than the log but not newer.
    /// - Throws: what reading the database throws, and `.cannotOpen` for a folder with such files.
    package static func make(
        of groups: any GroupReading,
        in destination: String,
        progress tell: @escaping (String) -> Void,
        checkpoints: (
            (CheckpointBatch) throws(StoreError) -> Void
        ) throws(StoreError) -> Void
    ) throws(StoreError) -> Extent {
        let limits = StoreLimits()
        let folder = try StoreFolder(path: destination)
        defer { folder.close() }
        guard try StoreFolder.storeFiles(in: destination).isEmpty else {
            throw .cannotOpen(path: destination, reason: "holds a hub's files already")
        }
        let state = try StateFile(path: try folder.file(StateFile.name), limits: limits)
        defer { state.close() }
        try checkpoints { batch throws(StoreError) in try state.checkpoint(batch) }
        // The last one to close a file syncs it.
        let copy = try HubCopy(
            in: folder,
            keeping: .cache,
            limits: limits,
            progress: OpeningProgress(limits, tell: tell)
        )
        defer { copy.closeFiles() }
        guard case .reached = try copy.follow(groups) else {
            throw .corrupted("the groups of the database do not join")
        }
        try copy.registrations.forgetFeed()
        let bounds = copy.bounds
        return Extent(epoch: bounds.epoch, head: bounds.head, check: copy.headCheck)
    }
}
