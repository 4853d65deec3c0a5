import HubTransport
import SystemPackage

/// Why a device's memory cannot be used.
public enum DeviceStoreError: Error, Equatable, Sendable {
    /// The file is something else.
    case notADeviceFile(path: String)
    /// The file was written by a newer version.
    case versionUnsupported(path: String, version: Int)
    /// The file's content is not what was written; `reason` says what does not fit.
    case damaged(path: String, reason: String)
    /// Another process, or another store of this one, works with the file.
    case inUse(path: String)
    /// A transaction of the database failed; nothing of it was stored.
    case database(path: String, reason: String)
    /// A call to the system failed; the number is the system's.
    case system(operation: String, path: String, code: Int32)
}

extension DeviceStoreError: CustomStringConvertible {
    /// One readable line without secrets.
    public var description: String {
        switch self {
        case .notADeviceFile(let path): "\(path) is not the state of a device"
        case .versionUnsupported(let path, let version):
            "\(path) has the format \(version), which this version cannot read; "
                + "move it away, and the device registers anew"
        case .damaged(let path, let reason): "\(path) is damaged: \(reason)"
        case .inUse(let path): "\(path) is in use by another device"
        case .database(let path, let reason): "\(path): \(reason)"
        case .system(let operation, let path, let code):
            "cannot \(operation) \(path): \(Errno(rawValue: code))"
        }
    }
}
