import GRDB
import HubModel

extension StoreError {
    /// Translates an error of the engine while a file is in use.
    init(_ error: any Error, path: String) {
        if let known = error as? StoreError {
            self = known
            return
        }
        if error is RowDecodingError {
            self = .corrupted("\(path): a row that is none of ours")
            return
        }
        guard let failure = error as? DatabaseError else {
            self = .unavailable(reason: "\(path): \(error)")
            return
        }
        switch failure.resultCode {
        case .SQLITE_FULL: self = .full
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            self = .corrupted("\(path): \(Self.reason(failure))")
        default: self = .unavailable(reason: "\(path): \(Self.reason(failure))")
        }
    }

    /// Translates an error of the engine while a file is being opened.
    init(opening error: any Error, path: String) {
        self.init(error, path: path)
        guard case .unavailable = self, let failure = error as? DatabaseError else { return }
        self = .cannotOpen(path: path, reason: Self.reason(failure))
    }

    /// The engine's words, without the statement and its values.
    private static func reason(_ failure: DatabaseError) -> String {
        failure.message ?? "SQLite error \(failure.extendedResultCode.rawValue)"
    }
}
