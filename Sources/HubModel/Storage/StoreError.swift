package import HubVocabulary

/// Why a store did not do what was asked; nothing was stored, unless it is `fenced`.
package enum StoreError: Error, Hashable, Sendable {
    /// The engine is away or stalled; safe to repeat.
    case unavailable(reason: String)
    /// No space left on the device.
    case full
    /// A checksum or a structure is wrong; names the file and place.
    case corrupted(String)
    /// The files belong to a newer release.
    case newerSchema(found: Int, known: Int)
    /// The files were written before the first release.
    case olderSchema(found: Int, known: Int)
    /// Another process holds the folder.
    case locked(path: String)
    /// The folder or a file cannot be opened; the reason of the system.
    case cannotOpen(path: String, reason: String)
    /// The engine would not promise durability (synchronous level or journal mode).
    case notDurable(String)
    /// Another leader has the hub: this store takes nothing any more, and what it was asked last may
    /// be stored.
    case fenced
}

extension StoreError: CustomStringConvertible {
    /// One readable line for the operator.
    package var description: String {
        switch self {
        case .unavailable(let reason): "the store is unavailable: \(reason)"
        case .full: "no space is left on the device"
        case .corrupted(let place): "damaged data: \(place)"
        case .newerSchema(let found, let known):
            "written by a newer release (schema \(found), this one knows \(known)): "
                + "start that release"
        case .olderSchema(let found, let known):
            "written before the first release (schema \(found), this one knows \(known)): "
                + "move the folder away to start anew"
        case .locked(let path): "\(path) is in use by another process"
        case .cannotOpen(let path, let reason): "cannot open \(path): \(reason)"
        case .notDurable(let reason): "would not keep what it acknowledges: \(reason)"
        case .fenced: "another leader has the hub"
        }
    }
}

extension StoreError {
    /// When a caller whose request the store refused tries again, in seconds.
    package static let retrySeconds = 1

    /// The refusal that a caller gets for it.
    package var refusal: Refusal {
        switch self {
        case .full: .storeFull
        case .fenced: .storeUnanswered(retryAfterSeconds: Self.retrySeconds)
        case .unavailable, .corrupted, .newerSchema, .olderSchema, .locked, .cannotOpen,
            .notDurable:
            .storeUnavailable(retryAfterSeconds: Self.retrySeconds)
        }
    }
}
