import Foundation
import HubClient

/// The backend's folder: made 0700, its files 0600, held by one backend at a time.
///
/// Source: rules C.6.
struct BackendFolder: Sendable {
    let path: String
    private let lock: DeviceLock

    /// Makes the folder when it is missing, and takes it.
    init(path: String) throws(BackendError) {
        try Self.make(path)
        self.path = path
        do throws(DeviceStoreError) {
            lock = try DeviceLock(path + "/backend.json")
        } catch .inUse {
            throw .folderInUse(path: path)
        } catch {
            throw .folder(path: path, reason: error.description)
        }
    }

    /// Makes a folder that only its owner can look into.
    static func make(_ path: String) throws(BackendError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        } catch {
            throw .folder(path: path, reason: error.localizedDescription)
        }
    }

    /// Says where the backend listens.
    func write(_ description: BackendDescription) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let bytes = [UInt8](try encoder.encode(description)) + [UInt8(ascii: "\n")]
        let file = path + "/backend.json"
        let disk = LocalDisk()
        try disk.write(bytes, to: file + ".new")
        try disk.rename(file + ".new", to: file)
        try disk.syncFolder(of: file)
    }

    /// Nobody listens any more.
    func removeDescription() {
        // One that is left over names a port where nobody answers.
        try? FileManager.default.removeItem(atPath: path + "/backend.json")
    }
}
