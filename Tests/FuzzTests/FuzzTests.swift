import Foundation
import HubFuzzTargets
import Testing

@Suite("Fuzz targets")
struct FuzzTests {
    @Test("every target has a name of its own, a row in Fuzz/README.md and seeds")
    func complete() throws {
        let names = FuzzTarget.all.map(\.name)
        #expect(Corpus.seeded() == names.sorted())
        let readme = try String(
            contentsOf: Corpus.folder.appendingPathComponent("README.md"),
            encoding: .utf8
        )
        for name in names + ["Canary"] {
            #expect(FuzzTarget.named(name)?.name == name)
            #expect(readme.contains("`\(name)`"), "\(name)")
        }
        #expect(FuzzTarget.named("") == nil && FuzzTarget.named("canary") == nil)
        for target in FuzzTarget.all {
            let seeds = Corpus.seeds.count { $0.target.name == target.name }
            #expect(seeds >= 3, "\(target.name) has \(seeds) seeds")
        }
    }

    @Test("seeds of stored records are in the format of today")
    func present() {
        let seeds = Corpus.seeds.filter { $0.target.name.hasSuffix("Record") }
        #expect(seeds.count >= 9)
        for seed in seeds {
            let isPresent = isStoredRecord(seed.bytes.span)
            #expect(isPresent, "\(seed)")
        }
    }

    // A target that fails traps, and the output names target and seed; FUZZ_TRACE=1 names each input.
    @Test("hold for the corpus and every input that ever failed", arguments: FuzzTarget.all)
    func replay(target: FuzzTarget) {
        for input in Corpus.seeds + Corpus.regressions where input.target.name == target.name {
            announce("replaying \(input)")
            target.run(input.bytes.span)
            for cut in [0, 1, input.bytes.count / 2, max(0, input.bytes.count - 1)] {
                target.run(Array(input.bytes.prefix(cut)).span)
            }
        }
    }

    @Test("hold for mutations of the corpus", arguments: FuzzTarget.all, 0..<2 as Range<UInt64>)
    func mutations(target: FuzzTarget, seed: UInt64) {
        var mutator = Mutator(
            seed: seed,
            inputs: Corpus.seeds.filter { $0.target.name == target.name }.map(\.bytes)
        )
        for round in 0..<250 {
            let input = mutator.next()
            announce("\(target.name), seed \(seed), round \(round)")
            target.run(input.span)
        }
    }

    @Test("the canary crashes where it must and nowhere else")
    func canary() async {
        FuzzTarget.canary.run(Array("bel".utf8).span)
        FuzzTarget.canary.run(Array("belt".utf8).span)
        await #expect(processExitsWith: .failure) {
            FuzzTarget.canary.run(Array("bell and more".utf8).span)
        }
    }

    /// Says which input comes next, unbuffered, so that it is there after a trap.
    private func announce(_ words: @autoclosure () -> String) {
        guard ProcessInfo.processInfo.environment["FUZZ_TRACE"] != nil else { return }
        FileHandle.standardError.write(Data((words() + "\n").utf8))
    }
}
