import Synchronization

/// A connection for reads of copies, which several hubs may share; threads wait for each other.
package final class PostgresReadLink: Sendable {
    /// nil until something is read, and after a loss.
    let connection = Mutex<PostgresConnection?>(nil)

    /// Connects with the first read.
    package init() {}

    /// Ends the connection; another read makes one anew.
    package func close() {
        connection.withLock { held in
            held?.close()
            held = nil
        }
    }
}
