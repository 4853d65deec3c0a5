import Foundation
import HubData
package import HubDoctor
import HubEndpoint
import HubServer
import HubStore
import HubVocabulary
import SystemPackage

/// Reads the facts of a data folder and of the disk below it.
package enum FolderReading {
    /// Bytes of each write that is synced.
    private static let syncBytes = 4_096

    /// Returns them; nil when there is no such folder.
    ///
    /// A file of its own is written, synced so many times, and removed.
    package static func facts(of data: String, syncs: Int = 100) -> FolderFacts? {
        let path = URL(fileURLWithPath: data).standardizedFileURL.path
        guard let mode = mode(path) else { return nil }
        var facts = FolderFacts(path: path, mode: mode)
        facts.secrets = secrets(in: path)
        facts.goneProcess = goneProcess(path)
        // Without the kernel's table nothing is known of mounts.
        let mounts = (try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)) ?? ""
        if let mount = MountTable(mounts).mount(of: resolved(path)) {
            (facts.fileSystem, facts.mountOptions) = (mount.type, mount.options)
        }
        // A disk that does not tell its room is not judged by it.
        let disk = try? FileManager.default.attributesOfFileSystem(forPath: path)
        facts.freeBytes = (disk?[.systemFreeSize] as? NSNumber)?.intValue
        facts.syncMicroseconds = syncTimes(in: path, count: syncs)
        facts.oldFiles = oldFiles(in: path)
        facts.schemaWritten = StoreSchema.written
        facts.backup =
            LastBackup.read(data: path).map {
                .made(Timestamp(milliseconds: $0.madeAt), isVerified: $0.isVerified)
            } ?? FolderFacts.Backup.none
        // One that cannot be read is told by `belfry audit`.
        facts.brokenAuditEntry = (try? AuditLog.firstBroken(data: path)) ?? nil
        return facts
    }

    private static func names(_ path: String) -> [String] {
        // A folder that is missing has none.
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    private static func mode(_ path: String) -> Int? {
        // One that is not there has no mode.
        let facts = try? FileManager.default.attributesOfItem(atPath: path)
        return (facts?[.posixPermissions] as? NSNumber)?.intValue
    }

    private static func resolved(_ path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }

    private static func secrets(in data: String) -> [FolderFacts.Entry] {
        let loose = names(data).filter { $0.hasSuffix(".json") || $0.hasSuffix(".token") }
        let tls = names(data + "/tls").filter { $0.hasSuffix("-key.pem") }.map { "tls/" + $0 }
        let hubs = names(data + "/hubs").flatMap { hub in
            names("\(data)/hubs/\(hub)").filter { $0.hasSuffix(".json") }
                .map { "hubs/\(hub)/\($0)" }
        }
        return (loose + tls + hubs).compactMap { name in
            mode("\(data)/\(name)").map { FolderFacts.Entry(path: "\(data)/\(name)", mode: $0) }
        }
    }

    private static func goneProcess(_ data: String) -> Int? {
        // Without the file no hub runs, and none has crashed.
        guard let file = try? ConnectionFile(dataFolder: data) else { return nil }
        let isGone = kill(file.pid, 0) != 0 && errno == ESRCH
        return isGone ? Int(file.pid) : nil
    }

    private static func oldFiles(in data: String) -> [FolderFacts.OldFiles] {
        names(data + "/hubs").compactMap { hub in
            let folder = "\(data)/hubs/\(hub)"
            let files = names(folder).filter { $0.hasSuffix(".sqlite") }.map { "\(folder)/\($0)" }
            let schemas = files.compactMap(StoreSchema.found).filter { $0 > 0 }
            guard let oldest = schemas.min(), oldest < StoreSchema.written else { return nil }
            let bytes = files.map { path in
                // One that has gone meanwhile is not copied.
                let facts = try? FileManager.default.attributesOfItem(atPath: path)
                return (facts?[.size] as? NSNumber)?.intValue ?? 0
            }
            return FolderFacts.OldFiles(hub: hub, schema: oldest, bytes: bytes.reduce(0, +))
        }
    }

    /// Microseconds of each sync; none where the folder takes no file.
    private static func syncTimes(in data: String, count: Int) -> [Int] {
        let path = FilePath("\(data)/.doctor")
        let bytes = [UInt8](repeating: 0, count: syncBytes)
        do {
            let file = try FileDescriptor.open(
                path,
                .writeOnly,
                options: [.create, .truncate, .noFollow, .closeOnExec],
                permissions: .ownerReadWrite
            )
            // It is ours, and holds nothing.
            defer { try? FileManager.default.removeItem(atPath: path.string) }
            return try file.closeAfter {
                try (0..<count).map { _ in
                    try file.writeAll(bytes)
                    let began = ContinuousClock.now
                    guard fdatasync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
                    return Int((ContinuousClock.now - began) / .microseconds(1))
                }
            }
        } catch {
            return []
        }
    }
}
