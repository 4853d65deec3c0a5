import HubHistory
import HubModel
import HubVocabulary
import Testing

@Suite("Searches through rings of files")
struct RingSearchTests {
    /// Rings of files, each with its entries, and the numbers that are wanted of them.
    private struct Files {
        var rings: [[(first: UInt64, numbers: [UInt64])]] = []
        var end: UInt64 = 1
        var wanted: Set<UInt64> = []

        /// Entries by lot: each in a ring of its own choice, some behind a new file.
        init(_ seed: UInt64, rings count: Int, entries: Int) {
            var random = SeededRandom(seed: seed)
            rings = Array(repeating: [], count: count)
            for _ in 0..<entries {
                let ring = Int.random(in: 0..<count, using: &random)
                if rings[ring].isEmpty || Int.random(in: 0..<3, using: &random) == 0 {
                    rings[ring].append((first: end, numbers: []))
                }
                rings[ring][rings[ring].count - 1].numbers.append(end)
                if Bool.random(using: &random) { wanted.insert(end) }
                end += 1
            }
        }

        func search(below end: UInt64, limit: Int, files: Int) -> RingSearch<UInt64> {
            RingSearch(
                rings.map { ring in
                    RingSearch<UInt64>.Ring(
                        files: ring.map(\.first),
                        last: ring.last?.numbers.last ?? 0
                    )
                },
                below: end,
                limit: limit,
                files: files
            ) { $0 }
        }

        /// A page, and how many files were read for it.
        func page(
            below end: UInt64,
            limit: Int,
            files: Int
        ) -> (page: ListPage<UInt64, UInt64>, read: Int) {
            var search = search(below: end, limit: limit, files: files)
            var read = 0
            while let file = search.file {
                read += 1
                let numbers = rings[file.ring].first { $0.first == file.first }?.numbers ?? []
                search.take(numbers.filter(wanted.contains))
            }
            return (search.page, read)
        }
    }

    @Test(
        "find each wanted entry once, the newest first, page by page",
        arguments: 1...20 as ClosedRange<UInt64>,
        [1, 3, Int.max]
    )
    func pages(seed: UInt64, most: Int) {
        let files = Files(seed, rings: 1 + Int(seed % 5), entries: 60)
        for limit in [1, 4, 100] {
            var found: [UInt64] = []
            var (end, turns) = (files.end, 0)
            while true {
                turns += 1
                let (page, read) = files.page(below: end, limit: limit, files: most)
                found += page.entries
                #expect(page.entries.count <= limit)
                // Those of all rings may each have the newest one.
                #expect(read <= max(most, files.rings.count), "seed \(seed)")
                guard let next = page.next, turns < 100 else { break }
                #expect(next < end, "seed \(seed): the next page must begin further down")
                end = next
            }
            #expect(found == files.wanted.sorted(by: >), "seed \(seed), limit \(limit)")
        }
    }

    @Test("read as many files as they may, and say where the next page begins")
    func files() {
        var files = Files(1, rings: 0, entries: 0)
        files.rings = [[1, 3, 5, 7].map { (first: $0, numbers: [$0, $0 + 1]) }]
        files.wanted = [1, 2]
        let begins: [(most: Int, next: UInt64?, found: [UInt64])] = [
            (1, 7, []), (2, 5, []), (3, 3, []), (4, nil, [2, 1]),
        ]
        for (most, next, found) in begins {
            let (page, read) = files.page(below: 9, limit: 9, files: most)
            #expect(page.next == next && page.entries == found && read == most)
        }
    }

    @Test("leave older files of a ring alone that has no more")
    func over() {
        var files = Files(1, rings: 0, entries: 0)
        files.rings = [
            [(first: 1, numbers: [1]), (first: 4, numbers: [4])],
            [(first: 2, numbers: [2]), (first: 3, numbers: [3])],
        ]
        var search = files.search(below: 5, limit: 9, files: .max)
        var read: [UInt64] = []
        while let file = search.file {
            read.append(file.first)
            search.take([file.first], goesOn: file.ring == 1)
        }
        #expect(read == [4, 3, 2])
        #expect(search.page.entries == [4, 3, 2] && search.page.next == nil)
    }
}
