public import GRDB
public import HubClient
import Synchronization

/// Where a device remembers: tables in the app's own database.
///
/// Notifications can be written to the app's tables in the transaction that moves the device's place
/// in the hub's log. Then the app has each notification once, whatever crashes:
///
///     let memory = try DeviceDatabase(queue) { database, notifications in
///         for notification in notifications { try Message(notification).insert(database) }
///     }
///     let device = try DeviceClient(file, database: memory)
///
/// Without such a closure notifications wait here until `DeviceClient.taken`, as in a file.
/// The tables are called `belfry_…`. One device works with a database at a time.
public final class DeviceDatabase: Sendable {
    /// Writes notifications to the app's tables, in the transaction that it is given.
    ///
    /// An error undoes the transaction; the hub sends the notifications again.
    public typealias Storing = @Sendable (Database, [ReceivedNotification]) throws -> Void

    /// The tables' content, but for the notifications that wait.
    private struct Memory {
        /// Nil before the first commit.
        var state: DeviceState?
        var waitingCount = 0
    }

    private let database: any DatabaseWriter
    private let storing: Storing?
    /// Two devices with one identity would take each other's session.
    private let lock = Mutex<DeviceLock?>(nil)
    /// Whether a device of this process works with the tables.
    private let isUsed = Mutex(false)
    private let memory = Mutex(Memory())
    /// Held over a commit, so that those who only look at the state need not wait for the disk.
    private let turn = Mutex(())

    /// Reads a device's tables, or makes them.
    ///
    /// Sets `synchronous` to FULL on the database's writing connection: the hub must hear
    /// only of notifications that are on the disk.
    /// - Parameters:
    ///   - database: the app's database.
    ///   - storing: takes over what arrives; nil keeps it until it is taken.
    /// - Throws: `.inUse`, `.versionUnsupported`, `.damaged`, `.database`, `.system`.
    public init(
        _ database: any DatabaseWriter,
        storing: Storing? = nil
    ) throws(DeviceStoreError) {
        self.database = database
        self.storing = storing
        try attach()
    }

    /// Gives the tables to a device that begins.
    ///
    /// - Throws: `.inUse` when a device of this process has them, and as `attach`.
    func use() throws(DeviceStoreError) {
        let isFree = isUsed.withLock { isUsed in
            defer { isUsed = true }
            return !isUsed
        }
        guard isFree else { throw .inUse(path: database.path) }
        do throws(DeviceStoreError) { try attach() } catch {
            isUsed.withLock { $0 = false }
            throw error
        }
    }

    /// Makes the database this device's alone, and reads what it holds.
    ///
    /// Does nothing when it is its own already.
    func attach() throws(DeviceStoreError) {
        try lock.withLock { lock throws(DeviceStoreError) in
            guard lock == nil else { return }
            let taken = try Self.isInMemory(database.path) ? nil : DeviceLock(database.path)
            do {
                try database.writeWithoutTransaction { database in
                    try database.execute(sql: "PRAGMA synchronous = FULL")
                }
                let found = try database.write { database in
                    try DeviceTables.create(database)
                    return Memory(
                        state: try DeviceTables.state(database),
                        waitingCount: try DeviceTables.waitingCount(database)
                    )
                }
                memory.withLock { $0 = found }
            } catch {
                throw DeviceStoreError(error, path: database.path)
            }
            lock = taken
        }
    }

    private static func isInMemory(_ path: String) -> Bool {
        path.isEmpty || path.contains(":memory:") || path.contains("mode=memory")
    }
}

extension DeviceDatabase: DeviceStore {
    /// The state that was committed last.
    package var state: DeviceState { memory.withLock { $0.state } ?? DeviceState() }

    /// Stored notifications that the app has not taken, oldest first.
    package var waiting: [ReceivedNotification] {
        do {
            return try database.read { database in try DeviceTables.waiting(database) }
        } catch {
            // They are shown after the next start; what arrives now says what is wrong.
            return []
        }
    }

    /// How many of them there are.
    package var waitingCount: Int { memory.withLock(\.waitingCount) }

    /// Leaves the tables to others: its device has ended.
    ///
    /// Not while a change is being written.
    package func release() {
        turn.withLock { _ in
            isUsed.withLock { $0 = false }
            lock.withLock { $0 = nil }
        }
    }

    /// Makes a change in one transaction.
    /// - Throws: `DeviceStoreError`; then everything is as before.
    package func commit(_ change: StoreChange) throws(DeviceStoreError) {
        guard !change.isEmpty else { return }
        try turn.withLock { _ throws(DeviceStoreError) in
            let known = memory.withLock(\.state)
            var taken = 0
            do {
                taken = try database.write { database in
                    if let state = change.state {
                        try DeviceTables.write(state, after: known, database)
                    }
                    if let storing {
                        if !change.added.isEmpty { try storing(database, change.added) }
                    } else {
                        try DeviceTables.add(change.added, database)
                    }
                    return try change.takenThrough.map { number in
                        try DeviceTables.remove(through: number, database)
                    } ?? 0
                }
            } catch {
                throw DeviceStoreError(error, path: database.path)
            }
            memory.withLock { memory in
                if let state = change.state { memory.state = state }
                memory.waitingCount += (storing == nil ? change.added.count : 0) - taken
            }
        }
    }
}
