/// Where a bulk job is; raw values are stored.
///
/// Source: REST §13.
package enum JobStatus: UInt8, Sendable {
    /// Waits for its turn.
    case started = 1
    /// Is being carried out.
    case running = 2
    /// Everything was tried; lines that failed are in a file of their own.
    case completed = 3
    /// Ended early; `BulkJob.failure` says why.
    case failed = 4

    /// The word of the API.
    package var word: String {
        switch self {
        case .started: "Started"
        case .running: "Running"
        case .completed: "Completed"
        case .failed: "Failed"
        }
    }

    /// Whether nothing will happen any more.
    package var isFinal: Bool { self == .completed || self == .failed }
}
