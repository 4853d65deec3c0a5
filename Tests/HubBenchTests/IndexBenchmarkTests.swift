import HubTags
import Testing

@testable import HubBench

@Suite("The index benchmark")
struct IndexBenchmarkTests {
    private static func options(seed: UInt64 = 3) -> IndexBenchmark.Options {
        var options = IndexBenchmark.Options()
        options.registrations = 4_000
        options.tags = 1_000
        options.edits = 50
        options.batches = 1
        options.seed = seed
        return options
    }

    @Test("draws the same tags again for the same seed, the first most often")
    func draws() {
        let draws = ZipfDraws(Self.options())
        let again = ZipfDraws(Self.options())
        let other = ZipfDraws(Self.options(seed: 4))
        #expect(draws.count == 4_000)
        var counts = [Int](repeating: 0, count: 1_000)
        var isSame = true
        var isOther = false
        for registration in 0..<draws.count {
            let tags = Array(draws.tags(of: registration))
            isSame = isSame && tags == Array(again.tags(of: registration))
            isOther = isOther || tags != Array(other.tags(of: registration))
            #expect((1...10).contains(tags.count) && Set(tags).count == tags.count)
            for tag in tags { counts[Int(tag)] += 1 }
        }
        #expect(isSame && isOther)
        // 1 - (1 - 1 / H(1000))^10 of all have the first, with H(1000) = 7.485.
        #expect((2_870...3_190).contains(counts[0]), "\(counts[0])")
        #expect(counts[0] > counts[9] && counts[9] > counts[99])
        #expect(draws.audience(of: "t1").count == counts[0])
    }

    @Test("asks what can be asked, and figures of the prototype stand only beside its own size")
    func queries() throws {
        for query in IndexBenchmark.queries {
            let expression = try TagExpression(parsing: Array(query.text.utf8))
            #expect([1, 4].contains(expression.tagCount), "\(query.text)")
        }
        let turn = IndexBenchmark(options: Self.options()).turn { _ in }
        #expect(turn.faults == [])
        #expect(turn.readings.allSatisfy { $0.reference == nil && $0.value >= 0 })
        #expect(IndexBenchmark.Options().isPrototypeSize)
        #expect(!Self.options().isPrototypeSize)
    }

    @Test("all scenarios have names of their own, at either size", arguments: [true, false])
    func suite(isQuick: Bool) {
        let suite = BenchSuite(isQuick: isQuick, seed: 1)
        let names = suite.scenarios.map(\.name) + [suite.index.name]
        #expect(Set(names).count == 9 && names.count == 9)
    }
}
