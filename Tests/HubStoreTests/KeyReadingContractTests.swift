import HubModel
import HubVocabulary
import Testing

@Suite("Every store's reader of keys keeps the contract")
struct KeyReadingContractTests {
    /// The times of all keys, page by page.
    private static func times(
        _ store: any HubStorage,
        through: UInt64 = 18,
        from time: UInt64 = 0,
        _ limit: Int
    ) throws -> [UInt64] {
        var end: UInt64 = 0
        var found: [UInt64] = []
        while true {
            let page = try store.keyReader.keys(
                behind: end,
                through: through,
                from: Timestamp(milliseconds: time),
                limit: limit
            )
            #expect(page.entries.count <= limit)
            for entry in page.entries {
                #expect(entry.scope == Sample.key(100 + entry.time.milliseconds).scope)
            }
            found += page.entries.map(\.time.milliseconds)
            guard let next = page.end else { return found }
            try #require(next > end)
            end = next
        }
    }

    @Test(
        "pages have each key once, up to a place and from a time",
        arguments: StoreKind.allCases,
        [1, 2, 5, 100]
    )
    func pages(kind: StoreKind, limit: Int) throws {
        let fixture = StoreFixture(kind)
        var store = try fixture.reopen()
        #expect(try Self.times(store, limit) == [])
        for start in [1, 7, 13] as [UInt64] {
            let records = (start...start + 5).map { number in
                Sample.record(number, key: number.isMultiple(of: 3) ? nil : 100 + number)
            }
            #expect(store.commit(changes: [], records: records).records == nil)
        }
        for _ in 0..<2 {
            #expect(try Self.times(store, limit) == [1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17])
            #expect(try Self.times(store, through: 11, from: 5, limit) == [5, 7, 8, 10, 11])
            #expect(try Self.times(store, from: 18, limit) == [])
            store = try fixture.reopen()
        }
    }

    @Test("pages go on behind keys that were forgotten meanwhile", arguments: StoreKind.allCases)
    func forgotten(kind: StoreKind) throws {
        let fixture = StoreFixture(kind)
        let store = try fixture.reopen()
        let records = (1...9 as ClosedRange<UInt64>).map { Sample.record($0, key: 100 + $0) }
        #expect(store.commit(changes: [], records: records).records == nil)
        let start = Timestamp(milliseconds: 0)
        let first = try store.keyReader.keys(behind: 0, through: 9, from: start, limit: 4)
        #expect(first.entries.map(\.time.milliseconds) == [1, 2, 3, 4])
        while try store.forgetKeys(before: Timestamp(milliseconds: 4)) {}
        let end = try #require(first.end)
        let second = try store.keyReader.keys(behind: end, through: 9, from: start, limit: 9)
        #expect(second.entries.map(\.time.milliseconds) == [5, 6, 7, 8, 9])
        #expect(second.end == nil)
    }
}
