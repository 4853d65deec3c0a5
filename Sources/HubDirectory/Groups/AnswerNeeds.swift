/// The part of a group that must be durable for an answer to hold; otherwise the caller hears that
/// the store refused.
enum AnswerNeeds {
    /// The answer holds whatever becomes of the group.
    case nothing
    /// The answer stands or falls with the group's changes.
    case changes
    /// The answer stands or falls with the group's records.
    case records
}
