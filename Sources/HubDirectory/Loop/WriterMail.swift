package import HubModel

/// Mail of a writer.
package enum WriterMail: Sendable {
    /// Of a caller, who gets one answer.
    case call(HubCall)
    /// Of a shard.
    case request(DirectoryRequest)
    /// A question for the directory, answered on the writer's thread.
    case inspect(@Sendable (Hub) -> Void)
}
