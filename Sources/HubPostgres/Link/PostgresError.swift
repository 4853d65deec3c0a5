package import HubModel

/// Why a database did not do what was asked.
package enum PostgresError: Error, Hashable, Sendable {
    /// libpq cannot be used.
    case library(LibraryProblem)
    /// No host accepted a connection; what each of them said.
    case unreachable(String)
    /// The server or its settings are none that the hub may trust.
    case unfit(ServerProblem)
    /// The server refused a command, and so all that was sent with it; the connection is sound.
    case refused(ServerRefusal)
    /// The connection ended; the server may have done what was sent last.
    case lost(String)
    /// The server did not answer in time, and the connection was closed; it may do it yet.
    case overdue(Duration)
    /// The server did it and warned, as it does when a commit stopped waiting for its standby.
    case warned
    /// An answer has another shape than its statement gives it.
    case shape(String)
}

extension PostgresError {
    /// Whether the server may have carried out what was sent last, or may still do so.
    package var isInDoubt: Bool {
        switch self {
        case .lost, .overdue, .warned: true
        case .library, .unreachable, .unfit, .refused, .shape: false
        }
    }

    /// Why the server refused a command; nil where it did not.
    var refusal: ServerRefusal.Cause? {
        guard case .refused(let refusal) = self else { return nil }
        return refusal.cause
    }

    /// Whether nothing was stored and trying again may help.
    var isTransient: Bool {
        switch self {
        case .unreachable: true
        case .refused(let refusal): refusal.cause == .deadlock || refusal.cause == .readOnly
        case .library, .unfit, .lost, .overdue, .warned, .shape: false
        }
    }

    /// The same in the words of a store.
    package var storeError: StoreError {
        switch self {
        case .refused(let refusal) where refusal.cause == .diskFull: .full
        case .refused(let refusal) where refusal.cause == .damaged: .corrupted(description)
        case .unfit(.schema(let found, let known)) where found > known:
            .newerSchema(found: found, known: known)
        case .unfit(.schema(let found, let known)): .olderSchema(found: found, known: known)
        case .unfit(.hubInPart): .unavailable(reason: description)
        case .unfit: .notDurable(description)
        case .shape: .corrupted(description)
        case .library, .unreachable, .refused, .lost, .overdue, .warned:
            .unavailable(reason: description)
        }
    }
}

extension PostgresError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .library(let problem): problem.description
        case .unreachable(let reasons): "no PostgreSQL server can be reached: \(reasons)"
        case .unfit(let problem): problem.description
        case .refused(let refusal): "PostgreSQL refused: \(refusal)"
        case .lost(let reason): "the connection to PostgreSQL is lost: \(reason)"
        case .overdue(let limit): "PostgreSQL did not answer within \(limit)"
        case .warned: "PostgreSQL stopped waiting for its standby"
        case .shape(let place): "PostgreSQL answered otherwise than expected: \(place)"
        }
    }
}
