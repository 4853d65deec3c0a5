/// How much of a hub's feed a shard has applied.
package struct FeedLoad: Equatable, Sendable {
    /// Feed items.
    package var count = 0
    /// The sum of their `FeedItem.weight`.
    package var weight = 0

    /// Nothing.
    package init() {}
}
