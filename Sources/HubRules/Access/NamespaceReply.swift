/// A namespace's answer to a command; everything it says is durable and in force.
package enum NamespaceReply: Sendable {
    case hub(HubDescription)
    case hubDeleted
    /// `hasMore` when some follow.
    case hubs([HubDescription], hasMore: Bool)
}
