import HubModel
import HubVocabulary

/// The group that is being planned: its records, and who waits for what.
struct PlannedGroup {
    /// Its time.
    var time: Timestamp
    /// Its records, behind the log's head.
    var records: [NotificationRecord] = []
    /// The words to callers, devices and operators once it is through, in this order.
    var answers: [GroupAnswer] = []
}
