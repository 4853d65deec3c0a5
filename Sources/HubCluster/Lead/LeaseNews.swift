/// A change that an answer means for a node.
package enum LeaseNews: Hashable, Sendable {
    /// Another leads, or none does: the node waits.
    case follows(LeadRow)
    /// The node leads, under this term.
    case took(UInt64)
    /// An operator wants another node to lead; it still leads.
    case asked
    /// Its lead is over for good; who leads now.
    case lost(LeadRow)
}
