import HubModel
import HubVocabulary

/// The outcome of a group in the store.
struct GroupOutcome {
    /// Whether every change of the group is durable; otherwise none is.
    let areChangesDurable: Bool
    /// Whether every record of the group is durable; otherwise none is.
    let areRecordsDurable: Bool
    /// Mistakes that the simulator plants.
    let planted: PlantedBugs

    /// Makes an outcome of what the store said.
    init(_ result: CommitResult, planted: PlantedBugs) {
        areChangesDurable = result.changes == nil
        areRecordsDurable = result.records == nil
        self.planted = planted
    }
}
