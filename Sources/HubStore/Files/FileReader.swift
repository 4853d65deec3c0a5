import GRDB
import HubModel

/// Reading connections of one file.
struct FileReader: Sendable {
    /// The path.
    let path: String
    let connections: any DatabaseReader
    /// Whether the file has no writer any more; then its readers need no transaction.
    var isUnchanging = false

    /// Runs `body` on a connection that sees the file as of one moment; from any thread.
    func reading<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        do {
            return try isUnchanging ? connections.unsafeRead(body) : connections.read(body)
        } catch {
            throw StoreError(error, path: path)
        }
    }
}

extension FileReader {
    /// Opens a file that a crash may have left: one that cannot write could not take back what was
    /// cut off.
    init(recovering path: String) throws(StoreError) {
        do {
            self.init(
                path: path,
                connections: try DatabaseQueue(path: path, configuration: .patient)
            )
        } catch {
            throw StoreError(opening: error, path: path)
        }
    }

    /// Opens a file that has no writer any more, with one connection.
    init(readOnly path: String) throws(StoreError) {
        self.init(
            path: path,
            connections: try DatabaseQueue.readOnly(path),
            isUnchanging: true
        )
    }
}
