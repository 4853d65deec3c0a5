import HubTables
import HubTestSupport
import HubVocabulary
import Testing

@Suite("Numbers by hash")
struct NumberIndexTests {
    /// What the index must hold: its entries by the half of the hash that it keeps.
    private struct Model {
        var entries: [UInt64: Set<RegistrationNumber>] = [:]

        func numbers(_ hash: UInt64) -> [RegistrationNumber] {
            (entries[hash >> 32] ?? []).sorted()
        }
    }

    @Test("agree with a model, however hashes meet", arguments: UInt64(1)...20)
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var index = NumberIndex()
        var model = Model()
        var live: [(number: RegistrationNumber, hash: UInt64)] = []
        // Few hashes meet in their home, or are equal; their lower half counts for nothing.
        let kinds = UInt64(1 + random.below(64))
        for step in 1...2_000 {
            if live.isEmpty || random.below(5) < 3 {
                let number = RegistrationNumber(UInt32(step))
                let hash = (random.next() % kinds) << (32 + 8 * UInt64(random.below(3))) | 7
                index.insert(number, hash: hash)
                model.entries[hash >> 32, default: []].insert(number)
                live.append((number, hash))
            } else {
                let gone = live.remove(at: random.below(live.count))
                index.remove(gone.number, hash: gone.hash)
                model.entries[gone.hash >> 32]?.remove(gone.number)
            }
            let asked = live.randomElement(using: &random)?.hash ?? random.next()
            #expect(index.numbers(hash: asked) == model.numbers(asked), "seed \(seed), \(step)")
        }
        #expect(index.count == live.count, "seed \(seed)")
        for (_, hash) in live {
            #expect(index.numbers(hash: hash) == model.numbers(hash), "seed \(seed)")
        }
    }

    @Test("are the same whether they are added one by one or together", arguments: UInt64(1)...8)
    func together(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var index = NumberIndex()
        var expected = NumberIndex()
        let kinds = UInt64(1 + random.below(5_000))
        var number: UInt32 = 0
        var hashes: [UInt64] = []
        for _ in 0..<10 {
            let entries = (0..<random.below(300)).map { _ -> NumberIndex.Entry in
                number += 1
                return (RegistrationNumber(number), (random.next() % kinds) << 32)
            }
            index.insert(contentsOf: entries)
            for entry in entries { expected.insert(entry.number, hash: entry.hash) }
            hashes += entries.map(\.hash)
        }
        #expect(index.count == Int(number), "seed \(seed)")
        for hash in hashes {
            #expect(index.numbers(hash: hash) == expected.numbers(hash: hash), "seed \(seed)")
        }
    }

    @Test("stand near their homes: none is looked for far")
    func homes() {
        var index = NumberIndex()
        var random = SeededGenerator(seed: 2)
        for number in UInt32(1)...20_000 {
            index.insert(RegistrationNumber(number), hash: random.next())
            if number.isMultiple(of: 1_000) {
                #expect(index.stepsMax < 256, "\(number) entries")
            }
        }
    }

    @Test("cost at most 16 bytes an entry once there are many")
    func memory() {
        var index = NumberIndex()
        var random = SeededGenerator(seed: 1)
        for number in UInt32(1)...100_000 {
            index.insert(RegistrationNumber(number), hash: random.next())
        }
        #expect(index.memoryBytes <= 16 * index.count)
    }
}
