import HubCluster

/// Something that happens to nodes or their database.
enum ClusterEvent {
    /// A node's program starts.
    case up(Int)
    /// A run of a node looks at its lease.
    case turn(Int, run: UInt64)
    /// A request about the lead reaches the database.
    case request(LeaseMail)
    /// Its answer reaches the node.
    case answer(LeaseMail, LeadRow)
    /// A run that has the lead opens the hub.
    case open(Int, run: UInt64, term: UInt64)
    /// A run that has lost the lead ends.
    case end(Int, run: UInt64)
    /// A group reaches the database behind the end of its sender.
    case late(LateGroup)
}
