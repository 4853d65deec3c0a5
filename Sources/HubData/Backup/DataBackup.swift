import Crypto
import Foundation
import HubModel
package import HubStore
import HubTransport
import HubVocabulary

/// Copies of a whole data folder: keys, certificates, configuration and every hub's stores.
///
/// A backup is a folder laid out like a data folder, with `backup.json` beside it that names every
/// file with its size and SHA-256; so one that was damaged or half copied is not restored.
package struct DataBackup: Codable, Equatable, Sendable {
    /// One file of the backup.
    package struct File: Codable, Equatable, Sendable {
        /// Path below the folder.
        package var path: String
        /// Bytes.
        package var size: Int
        /// SHA-256, 64 hex digits.
        package var sha256: String
    }

    /// One hub and where its log ends in the backup.
    package struct Hub: Codable, Equatable, Sendable {
        /// The hub's name.
        package var name: String
        /// The log's epoch.
        package var epoch: UInt64
        /// The highest sequence number.
        package var head: UInt64
        /// Of a hub that was just restored: scheduled notifications whose time has passed since.
        package var overdue: Int?
    }

    /// The findings of a look at every row.
    package struct Verification: Codable, Equatable, Sendable {
        /// Rows looked at.
        package var rows: Int
        /// Things that are wrong.
        package var faultCount: Int
        /// One readable line for each of the first hundred.
        package var faults: [String]
    }

    /// Hears how far long work is.
    package typealias Progress = (_ text: String) -> Void

    /// The version of this layout.
    package static let format = 1
    /// The description's name in the folder.
    package static let name = "backup.json"
    /// Kept beside hubs: keys, certificates, configuration.
    private static let loose = ["namespace.json", "belfry.json", "tls"]

    /// `DataBackup.format` of the release that made it.
    package var format: Int
    /// Milliseconds since 1970.
    package var madeAt: UInt64
    /// Every hub, ascending by name.
    package var hubs: [Hub]
    /// Every file, ascending by path.
    package var files: [File]

    // MARK: Backup

    /// Copies the data folder of a running or stopped server into `destination`, which must not
    /// hold anything.
    ///
    /// - Throws: `.folder`, `.store` or `.brokenFile` with the path and the reason; what was copied
    ///   by then is left behind without `backup.json`.
    package static func make(
        of data: String,
        to destination: String,
        progress: @escaping Progress
    ) throws(ServerError) -> DataBackup {
        if let cluster = try ClusterFile.read(in: absolute(data)) {
            let reason = "its hubs are in a database: name it with --database \(cluster.database)"
            throw .folder(path: data, reason: reason)
        }
        return try make(of: data, to: destination) { name, source, target throws(ServerError) in
            try stores(of: name) { () throws(StoreError) in
                try StoreBackup.copy(source, to: target) { file, done, pages in
                    progress("\(name)/\(file): \(pages == 0 ? 100 : done * 100 / pages) %")
                }
            }
        }
    }

    /// Copies the rest of a data folder, and has `store` make the files of each hub: its name, its
    /// folder with keys, the folder for the files.
    package static func make(
        of data: String,
        to destination: String,
        store: (String, String, String) throws(ServerError) -> StoreBackup.Extent
    ) throws(ServerError) -> DataBackup {
        let source = absolute(data)
        let target = absolute(destination)
        guard FileManager.default.fileExists(atPath: source + "/namespace.json") else {
            throw .folder(path: source, reason: "is not a data folder of belfry")
        }
        try require(target, outside: source)
        try requireEmpty(target)
        try DataFolder.makeFolder(target)
        for name in loose { try copy(name, from: source, to: target) }
        var hubs: [Hub] = []
        for name in try names(in: source + "/hubs") where HubName(name) != nil {
            let keys = source + "/hubs/\(name)/keys.json"
            guard FileManager.default.fileExists(atPath: keys) else {
                throw .brokenFile(path: keys, reason: "is missing: nothing could be restored")
            }
            let folder = target + "/hubs/" + name
            try DataFolder.makeFolder(folder)
            try copy("hubs/\(name)/keys.json", from: source, to: target)
            let extent = try store(name, source + "/hubs/" + name, folder)
            hubs.append(Hub(name: name, epoch: extent.epoch, head: extent.head))
        }
        let backup = DataBackup(
            format: format,
            madeAt: Clock.now.time.milliseconds,
            hubs: hubs,
            files: try files(below: target)
        )
        try backup.store(in: target)
        return backup
    }

    // MARK: Verify

    /// Reads every row of every hub of a data folder or backup; damage is in the result.
    ///
    /// - Throws: `.folder` when it is neither, `.store` when a file cannot be opened.
    package static func verify(
        _ data: String,
        progress: Progress
    ) throws(ServerError) -> Verification {
        let folder = absolute(data)
        guard FileManager.default.fileExists(atPath: folder + "/hubs") else {
            throw .folder(path: folder, reason: "is neither a data folder nor a backup")
        }
        var result = StoreVerification()
        for name in try names(in: folder + "/hubs") where HubName(name) != nil {
            let strange = try strangeFiles(in: "\(folder)/hubs/\(name)")
            guard strange.isEmpty else {
                for path in strange { result.note("\(path) is no regular file") }
                continue
            }
            var found = try stores(of: name) { () throws(StoreError) in
                try StoreVerification.of("\(folder)/hubs/\(name)") { progress("\(name)/\($0)") }
            }
            let keys = "\(folder)/hubs/\(name)/keys.json"
            if !FileManager.default.fileExists(atPath: keys) { found.note("\(keys) is missing") }
            result.add(found)
        }
        return Verification(
            rows: result.rows,
            faultCount: result.faultCount,
            faults: result.faults
        )
    }

    // MARK: Files

    /// Returns a path from the root of the file system.
    package static func absolute(_ path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.path
    }

    /// The hub a path below the folder belongs to; nil for other files.
    static func hubName(of path: String) -> String? {
        let parts = path.split(separator: "/")
        return parts.count == 3 && parts[0] == "hubs" ? String(parts[1]) : nil
    }

    /// Removes an empty folder.
    static func remove(_ folder: String) throws(ServerError) {
        // The path is borrowed for the call.
        guard unsafe rmdir(folder) == 0 else {
            throw .folder(path: folder, reason: "cannot be replaced")
        }
    }

    /// Copies a file of any size, in parts; durable on return.
    static func copyLarge(
        _ name: String,
        from source: String,
        to target: String
    ) throws(ServerError) {
        let place = URL(fileURLWithPath: target + "/" + name)
        try DataFolder.makeFolder(place.deletingLastPathComponent().path)
        do {
            try FileManager.default.copyItem(atPath: source + "/" + name, toPath: place.path)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600],
                ofItemAtPath: place.path
            )
            let file = try FileHandle(forUpdating: place)
            try file.synchronize()
            try file.close()
        } catch {
            throw .folder(path: place.path, reason: error.localizedDescription)
        }
        try DataFolder.sync(place.deletingLastPathComponent().path)
    }

    /// A copy within what is copied would be copied too, and found by the next start.
    static func require(_ folder: String, outside source: String) throws(ServerError) {
        let (inner, outer) = (resolved(folder), resolved(source))
        guard inner != outer, !inner.hasPrefix(outer + "/") else {
            throw .folder(path: folder, reason: "lies within \(source)")
        }
    }

    /// The path without symbolic links, as far as it is there.
    private static func resolved(_ path: String) -> String {
        var rest: [String] = []
        var place = URL(fileURLWithPath: path).standardizedFileURL
        while place.path != "/", !FileManager.default.fileExists(atPath: place.path) {
            rest.insert(place.lastPathComponent, at: 0)
            place.deleteLastPathComponent()
        }
        place = place.resolvingSymlinksInPath()
        return rest.reduce(place) { $0.appendingPathComponent($1) }.path
    }

    static func requireEmpty(_ folder: String) throws(ServerError) {
        guard FileManager.default.fileExists(atPath: folder) else { return }
        guard try names(in: folder).isEmpty else {
            throw .folder(path: folder, reason: "is not empty; nothing in it was touched")
        }
    }

    static func names(in folder: String) throws(ServerError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        } catch {
            throw .folder(path: folder, reason: error.localizedDescription)
        }
    }

    /// Copies a file, or the files of a folder, when it is there.
    private static func copy(
        _ name: String,
        from source: String,
        to target: String
    ) throws(ServerError) {
        let path = source + "/" + name
        var isFolder = ObjCBool(false)
        guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            return
        }
        if isFolder.boolValue {
            for inner in try names(in: path) {
                try copy(name + "/" + inner, from: source, to: target)
            }
            return
        }
        let place = URL(fileURLWithPath: target + "/" + name)
        try DataFolder.makeFolder(place.deletingLastPathComponent().path)
        if let bytes = try DataFolder.read(path) { try DataFolder.write(bytes, to: place.path) }
    }

    private static func files(below folder: String) throws(ServerError) -> [File] {
        guard let found = FileManager.default.enumerator(atPath: folder) else {
            throw .folder(path: folder, reason: "cannot be read")
        }
        var files: [File] = []
        for case let path as String in found {
            let kind = found.fileAttributes?[.type] as? FileAttributeType
            guard kind == .typeRegular, !path.hasSuffix("-shm"), !path.hasSuffix("-wal") else {
                continue
            }
            files.append(try describe(path, in: folder))
        }
        return files.sorted { $0.path < $1.path }
    }

    static func describe(_ path: String, in folder: String) throws(ServerError) -> File {
        guard let file = FileHandle(forReadingAtPath: folder + "/" + path) else {
            throw .brokenFile(path: folder + "/" + path, reason: "is missing")
        }
        // It is only read: closing it can lose nothing.
        defer { try? file.close() }
        var hash = SHA256()
        var size = 0
        do {
            while let part = try file.read(upToCount: 1 << 20), !part.isEmpty {
                hash.update(data: part)
                size += part.count
            }
        } catch {
            throw .folder(path: folder + "/" + path, reason: error.localizedDescription)
        }
        return File(path: path, size: size, sha256: HexText.lowercase(hash.finalize()))
    }

    static func stores<Value>(
        of hub: String,
        _ body: () throws(StoreError) -> Value
    ) throws(ServerError) -> Value {
        do throws(StoreError) {
            return try body()
        } catch {
            throw .store(hub: hub, reason: error.description)
        }
    }

    // MARK: The description

    private func store(in folder: String) throws(ServerError) {
        try JSONFile.write(self, to: folder + "/" + Self.name)
    }

    static func load(_ folder: String) throws(ServerError) -> DataBackup {
        let path = folder + "/" + name
        guard let backup: DataBackup = try JSONFile.read(path) else {
            throw .folder(path: folder, reason: "is not a complete backup: \(name) is missing")
        }
        guard backup.format <= format else {
            throw .brokenFile(path: path, reason: "written by a newer release")
        }
        return backup
    }
}
