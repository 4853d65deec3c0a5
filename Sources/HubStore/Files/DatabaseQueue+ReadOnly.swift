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
