package import HubModel
package import HubVocabulary

/// Mail of a writer.
package enum WriterMail: Sendable {
    /// Of a caller, who gets one answer.
    case call(HubCall)
    /// Of a shard.
    case request(DirectoryRequest)
    /// Of a lane, which hears whether the store took it; again, while the store refuses.
    case lane(LaneReport, @Sendable (Result<Bool, Refusal>) -> Void)
    /// A question for the directory, answered on the writer's thread.
    case inspect(@Sendable (Hub) -> Void)
}
