package import HubModel

/// A search for a page of the newest entries in rings of files that share one numbering.
///
/// The owner of the files reads the one that it names, hands in what is wanted of it, and asks again.
package struct RingSearch<Entry: Sendable> {
    /// The files of a ring; each begins with an entry of its number or a later one.
    package struct Ring {
        /// Where its files begin, ascending.
        package var files: [UInt64]
        /// The newest entry of the last file.
        package var last: UInt64

        /// Makes one of its parts.
        package init(files: [UInt64], last: UInt64) {
            (self.files, self.last) = (files, last)
        }
    }

    /// A file that may have entries of the page.
    private struct Candidate {
        var ring: Int
        /// The place of the file in its ring.
        var file: Int
        /// No entry of it is newer.
        var newest: UInt64
    }

    private let rings: [Ring]
    private let end: UInt64
    private let limit: Int
    private let number: (Entry) -> UInt64
    private var candidates: [Candidate] = []
    /// Files that may still be read.
    private var left: Int
    /// The newest first.
    private var found: [Entry] = []

    /// Begins a search for `limit` entries below a number, in so many files or in one of each ring.
    ///
    /// One of each ring is read where each may have the newest entry, whatever `files` says: the
    /// next page begins further down than this one.
    package init(
        _ rings: [Ring],
        below end: UInt64,
        limit: Int,
        files: Int = .max,
        number: @escaping (Entry) -> UInt64
    ) {
        (self.rings, self.end, self.limit) = (rings, end, max(1, limit))
        (self.number, left) = (number, files)
        candidates = rings.indices.compactMap { candidate(of: $0, below: end) }
    }

    /// The file to read; nil when the page is there.
    package var file: (ring: Int, first: UInt64)? {
        next.map { (candidates[$0].ring, first(of: candidates[$0])) }
    }

    /// Takes what is wanted of the file that is to be read; nothing when there is none.
    ///
    /// Older files of its ring are read only where they may have more.
    package mutating func take(_ entries: [Entry], goesOn: Bool = true) {
        guard let next else { return }
        left -= 1
        found += entries.filter { number($0) < end }
        found.sort { number($0) > number($1) }
        let read = candidates.remove(at: next)
        guard goesOn, let older = candidate(of: read.ring, below: first(of: read)) else { return }
        candidates.append(older)
    }

    /// The entries found, the newest first, and the number below which the next page begins.
    package var page: ListPage<Entry, UInt64> {
        // Of these and older ones some may be in files that were not read.
        let unread = candidates.map(\.newest).max()
        let whole = found.prefix { number($0) > unread ?? 0 }
        let page = Array(whole.prefix(limit))
        if page.count == limit, found.count > limit || unread != nil {
            return ListPage(page, next: page.last.map(number))
        }
        return ListPage(page, next: unread.map { $0 + 1 })
    }

    private var next: Int? {
        let newest = candidates.indices.max { candidates[$0].newest < candidates[$1].newest }
        guard let newest else { return nil }
        let bound = candidates[newest].newest
        if found.count >= limit, number(found[limit - 1]) > bound { return nil }
        return left > 0 || bound + 1 >= end ? newest : nil
    }

    private func first(of candidate: Candidate) -> UInt64 {
        rings[candidate.ring].files[candidate.file]
    }

    /// The newest file of a ring with entries below a number, if there is one.
    private func candidate(of ring: Int, below end: UInt64) -> Candidate? {
        let (files, last) = (rings[ring].files, rings[ring].last)
        guard let file = files.lastIndex(where: { $0 < end }) else { return nil }
        let newest = file + 1 == files.count ? min(last, end - 1) : min(files[file + 1], end) - 1
        return Candidate(ring: ring, file: file, newest: newest)
    }
}
