import Synchronization

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
    /// A call to the system failed; the number is the system's.
    case system(operation: String, path: String, code: Int32)
}

extension DeviceStoreError: CustomStringConvertible {
    /// One readable line without secrets.
    public var description: String {
        switch self {
        case .notADeviceFile(let path): "\(path) is not the state of a device"
        case .versionUnsupported(let path, let version):
            "\(path) has the format \(version), which this version cannot read"
        case .damaged(let path, let reason): "\(path) is damaged: \(reason)"
        case .inUse(let path): "\(path) is in use by another device"
        case .system(let operation, let path, let code):
            "cannot \(operation) \(path) (errno \(code))"
        }
    }
}

/// What a device remembers: its state, and the notifications that the app has not taken yet.
///
/// Each call is atomic and durable when it returns: after a crash either all of it is there or
/// nothing. Any thread may use it. Source: Protocol [D-8].
package protocol DeviceStore: AnyObject, Sendable {
    /// What was committed last; a new device's when nothing was.
    var state: DeviceState { get }
    /// Stored notifications that the app has not taken, oldest first.
    var waiting: [ReceivedNotification] { get }

    /// Writes a state and adds notifications, in one step.
    /// - Throws: `DeviceStoreError`; then the store is as before.
    func commit(
        _ state: DeviceState,
        adding notifications: [ReceivedNotification]
    ) throws(DeviceStoreError)

    /// Forgets the waiting notifications up to a number, which the app has taken.
    /// - Throws: `DeviceStoreError`; then the store is as before.
    func markTaken(through number: UInt64) throws(DeviceStoreError)
}

/// What a store holds.
struct StoredContent: Sendable {
    var state: DeviceState
    var waiting: [ReceivedNotification] = []
}

/// A store that lives as long as the process; for fleets and tests.
package final class MemoryDeviceStore: DeviceStore {
    private let content: Mutex<StoredContent>

    /// A store with a state, by default a new device's.
    package init(state: DeviceState = DeviceState()) {
        content = Mutex(StoredContent(state: state))
    }

    /// What was committed last.
    package var state: DeviceState { content.withLock { $0.state } }

    /// Stored notifications that the app has not taken, oldest first.
    package var waiting: [ReceivedNotification] { content.withLock { $0.waiting } }

    /// Takes a state and adds notifications, in one step.
    /// - Throws: `DeviceStoreError`; then everything is as before.
    package func commit(
        _ state: DeviceState,
        adding notifications: [ReceivedNotification]
    ) throws(DeviceStoreError) {
        content.withLock { content in
            content.state = state
            content.waiting.append(contentsOf: notifications)
        }
    }

    /// Forgets the waiting notifications up to a number.
    /// - Throws: `DeviceStoreError`; then everything is as before.
    package func markTaken(through number: UInt64) throws(DeviceStoreError) {
        content.withLock { content in content.waiting.removeAll { $0.number <= number } }
    }
}
