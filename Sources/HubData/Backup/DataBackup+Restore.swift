import Foundation
import HubModel
import HubStore
import HubTransport
import HubVocabulary

extension DataBackup {
    /// Makes a data folder of a backup; `destination` must not hold anything.
    ///
    /// Every hub's log begins a new epoch, so that devices notice. Source: rules B.2. Scheduled
    /// notifications whose time has passed are counted; they go out when the hub starts, unless
    /// they are to be skipped: then they are forgotten. `check` has the last word on
    /// the folder.
    /// - Throws: `.brokenFile` when a file is not the one that was backed up, or a hub's keys are
    ///   not those with which its devices were registered; `.folder`, `.store`.
    package static func restore(
        _ folder: String,
        to destination: String,
        skipsOverdue: Bool = false,
        progress: Progress,
        requiring check: (DataFolder) throws(ServerError) -> Void
    ) throws(ServerError) -> DataBackup {
        let source = absolute(folder)
        let target = absolute(destination)
        if FileManager.default.fileExists(atPath: source + "/" + name) {
            try requireRegular(name, in: source)
        }
        var backup = try load(source)
        let staging = target + ".restoring"
        try require(target, outside: source)
        try requireEmpty(target)
        guard !FileManager.default.fileExists(atPath: staging) else {
            let reason = "was left by a restore that was cut short; remove it and try again"
            throw .folder(path: staging, reason: reason)
        }
        try backup.check(in: source, progress: progress)
        try DataFolder.makeFolder(staging)
        for file in backup.files {
            progress("copying \(file.path)")
            try copyLarge(file.path, from: source, to: staging)
        }
        do throws(ServerError) {
            try beginEpochs(of: &backup, in: staging, skipsOverdue: skipsOverdue, check)
        } catch {
            // It is a copy, which nothing needs.
            try? FileManager.default.removeItem(atPath: staging)
            throw error
        }
        // Only a whole folder gets the name under which a server would open it.
        if FileManager.default.fileExists(atPath: target) { try remove(target) }
        try DataFolder.move(staging, to: target)
        return backup
    }

    /// Begins the epochs, and looks whether what was put back belongs together.
    private static func beginEpochs(
        of backup: inout DataBackup,
        in staging: String,
        skipsOverdue: Bool,
        _ check: (DataFolder) throws(ServerError) -> Void
    ) throws(ServerError) {
        let data = try DataFolder(path: staging)
        defer { data.release() }
        let keys = try HubFolders(folder: data).all()
        var random = SystemRandomNumberGenerator()
        for index in backup.hubs.indices {
            let name = backup.hubs[index].name
            let folder = "\(staging)/hubs/\(name)"
            guard let hub = keys.first(where: { $0.name.description == name }) else {
                throw .brokenFile(path: folder + "/keys.json", reason: "is missing")
            }
            let found = try stores(of: name) { () throws(StoreError) in
                _ = try StoreBackup.beginEpoch(in: folder, seed: random.next())
                return try RestoredHub(
                    hub,
                    folder: folder,
                    now: Clock.now.time,
                    skipsOverdue: skipsOverdue
                )
            }
            guard found.isOfKeys else {
                let reason = "is not the one with which the hub's devices were registered"
                throw .brokenFile(path: folder + "/keys.json", reason: reason)
            }
            backup.hubs[index].overdue = found.overdue
        }
        try check(data)
    }

    private func check(in folder: String, progress: Progress) throws(ServerError) {
        let named = Set(files.compactMap { Self.hubName(of: $0.path) })
        guard hubs.allSatisfy({ HubName($0.name)?.description == $0.name }),
            named == Set(hubs.map(\.name))
        else { throw .brokenFile(path: folder + "/" + Self.name, reason: "names other hubs") }
        for hub in hubs where !files.contains(where: { $0.path == "hubs/\(hub.name)/keys.json" }) {
            let reason = "names no keys.json of hub '\(hub.name)'"
            throw .brokenFile(path: folder + "/" + Self.name, reason: reason)
        }
        guard files.contains(where: { $0.path == "namespace.json" }) else {
            let reason = "names no namespace.json"
            throw .brokenFile(path: folder + "/" + Self.name, reason: reason)
        }
        for file in files {
            progress("checking \(file.path)")
            let path = folder + "/" + file.path
            guard Self.isOurs(file.path) else {
                throw .brokenFile(path: folder + "/" + Self.name, reason: "names \(file.path)")
            }
            try Self.requireRegular(file.path, in: folder)
            guard file.size > 0 else { throw .brokenFile(path: path, reason: "is empty") }
            let found = try Self.describe(file.path, in: folder)
            guard found == file else {
                throw .brokenFile(path: path, reason: "is not the file that was backed up")
            }
        }
    }
}
