package import HubModel

/// Bounds the bytes of log pages that shards have not looked at yet: by the bound, and one page
/// more.
package struct PageBudget: Sendable {
    private let bytesMax: Int
    private var bytes = 0

    /// Lets pages of this many bytes be out, and one more.
    package init(bytesMax: Int = 64 << 20) { self.bytesMax = bytesMax }

    /// Whether no page may follow now.
    package var isSpent: Bool { bytes > bytesMax }

    /// So many bytes of pages are out.
    package mutating func take(_ bytes: Int) { self.bytes += bytes }

    /// A shard has looked at so many.
    package mutating func giveBack(_ bytes: Int) { self.bytes -= bytes }
}

extension LogPage {
    /// About how many bytes it holds while it waits; 0 for a refused read.
    package var weight: Int {
        if failed { return 0 }
        let matches = (matches?.count ?? 0) * MemoryLayout<MissedSet.Match>.stride
        return records.reduce(256 + matches) { $0 + $1.draft.weight }
    }
}
