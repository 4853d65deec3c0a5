import HubModel

/// The outcome of a group in the store.
struct GroupOutcome {
    /// Whether every change of the group is durable; otherwise none is.
    let areChangesDurable: Bool
    /// Whether every record of the group is durable; otherwise none is.
    let areRecordsDurable: Bool

    /// Makes an outcome of what the store said.
    init(_ result: CommitResult) {
        areChangesDurable = result.changes == nil
        areRecordsDurable = result.records == nil
    }
}
