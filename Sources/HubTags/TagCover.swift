/// Tags of which every addressed registration has at least one, so that their registrations are all
/// that need looking at.
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
