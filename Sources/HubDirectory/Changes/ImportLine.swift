package import HubModel
package import HubVocabulary

/// The request of one line of an import; its answer is the stored registration, nil for a deleted one.
///
/// Source: REST §13.
package enum ImportLine: HubChange {
    /// Stores a new registration.
    case create(CreateRegistration)
    /// Creates or replaces a registration.
    case put(PutRegistration)
    /// Deletes a registration.
    case delete(DeleteRegistration)

    /// Bytes that the line brings, about.
    package var bodyBytes: Int {
        switch self {
        case .create(let change): change.bodyBytes
        case .put(let change): change.bodyBytes
        case .delete(let change): change.bodyBytes
        }
    }

    package func plan(_ hub: HubState, now: Now) -> PlannedAnswer<Registration?> {
        switch self {
        case .create(let change): change.plan(hub, now: now).map { $0 }
        case .put(let change): change.plan(hub, now: now).map { $0 }
        case .delete(let change): change.plan(hub, now: now).map { nil }
        }
    }
}
