/// Tags that together find every addressed registration, since each of these has at least one.
///
/// A selection looks only at the registrations of these tags.
package struct TagCover: Equatable, Sendable {
    /// The sum of the costs of its tags.
    package var cost: Int
    /// Bit *i* stands for the expression's tag with index *i*.
    package var tags: UInt64

    func joined(with other: TagCover) -> TagCover {
        TagCover(cost: cost.saturatingSum(other.cost), tags: tags | other.tags)
    }

    func cheaper(of other: TagCover?) -> TagCover {
        guard let other, other.cost < cost else { return self }
        return other
    }
}
