import GRDB
import HubModel

extension Configuration {
    /// Waits a moment for a lock: each connection holds the file's locks briefly when it opens,
    /// recovers or closes the write-ahead log, also beside a backup.
    static var patient: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(2)
        return configuration
    }
}

extension DatabaseQueue {
    /// Closes a connection that only read.
    func letGo() {
        // Nothing was written that failing to close could lose; the system closes it in the end.
        try? close()
    }

    /// Removes the empty write-ahead log that a reader made: SQLite does so when the last connection
    /// that could write is closed, and does nothing while another process has the file open.
    static func removeEmptyLog(_ path: String) {
        // On a medium that only can be read, no log was made either.
        guard let queue = try? DatabaseQueue(path: path, configuration: .patient) else { return }
        // The log is opened by the first reading; a damaged file has been reported already.
        _ = try? queue.read { try $0.tableExists("sqlite_schema") }
        queue.letGo()
    }

    /// A connection that cannot write.
    static func readOnly(_ path: String) throws(StoreError) -> DatabaseQueue {
        var configuration = Configuration.patient
        configuration.readonly = true
        // A copy is made within a transaction that outlives the call which opens it.
        configuration.allowsUnsafeTransactions = true
        do {
            return try DatabaseQueue(path: path, configuration: configuration)
        } catch {
            throw StoreError(opening: error, path: path)
        }
    }
}
