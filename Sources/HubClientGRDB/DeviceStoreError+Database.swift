import GRDB
import HubClient
import HubVocabulary

extension DeviceStoreError {
    /// The meaning of an error within a transaction, without the statement and its values.
    init(_ error: any Error, path: String) {
        switch error {
        case let known as DeviceStoreError: self = known
        case RecordProblem.unknownFormat(let format):
            self = .versionUnsupported(path: path, version: Int(format))
        case is RecordProblem:
            self = .damaged(path: path, reason: "a row of the device cannot be read")
        case let failure as DatabaseError:
            let code = failure.extendedResultCode.rawValue
            self = .database(path: path, reason: failure.message ?? "SQLite error \(code)")
        default: self = .database(path: path, reason: "\(error)")
        }
    }
}
