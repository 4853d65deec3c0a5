package import HubModel
package import HubVocabulary

extension StoreBackup {
    /// Gives a restored copy an epoch of its own, above all it holds.
    ///
    /// Records that came after the copy was made are not in it. A device that has some of them
    /// finds its position unknown and is told so. So it does not take new records for old ones.
    /// - Returns: the place at which the epoch begins.
    ///
    /// Source: rules B.2.
    package static func beginEpoch(
        in folder: String,
        seed: UInt64
    ) throws(StoreError) -> LogPlace {
        let files = try StoreFolder(path: folder)
        defer { files.close() }
        let limits = StoreLimits()
        var progress = OpeningProgress(limits) { _ in }
        _ = try StoreMigration.prepare(files, limits: limits, &progress)
        let log = try SlicedLog.open(
            in: files,
            keeping: .durable,
            limits: limits,
            progress: &progress
        )
        defer { log.close() }
        let registrations = try RegistrationFile(
            path: try files.file(RegistrationFile.name),
            keeping: .durable
        )
        defer { registrations.file.close() }
        guard let bounds = log.bounds, let mark = try registrations.mark() else {
            throw .corrupted("\(folder): a copy without an epoch")
        }
        let head = max(bounds.head, mark.log.head)
        let check = try log.check(at: head) ?? mark.log.check
        var epoch = seed
        while epoch == 0 || bounds.epochs.contains(where: { $0.epoch == epoch }) { epoch &+= 1 }
        let place = LogPlace(epoch: epoch, sequence: head + 1)
        try log.begin(place, checkBelow: check, in: files)
        try registrations.setMark(
            RegistrationFile.LogMark(epoch: epoch, head: head, check: check),
            numberMax: mark.numberMax
        )
        return place
    }
}
