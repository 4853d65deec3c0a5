import Foundation
import HubFuzzTargets

/// One file of the corpus or of the regressions.
struct CorpusInput: Sendable, CustomStringConvertible {
    let target: FuzzTarget
    let file: String
    let bytes: [UInt8]

    var description: String { "\(target.name)/\(file)" }
}

/// The inputs beside the fuzzers' sources.
enum Corpus {
    /// The folder `Fuzz` of this repository.
    static var folder: URL {
        var path = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { path.deleteLastPathComponent() }
        return path.appendingPathComponent("Fuzz")
    }

    /// Seeds and whatever the fuzzers found worth keeping.
    static let seeds = FuzzTarget.all.flatMap { inputs(of: $0, in: "corpus") }
    /// Every input that ever failed.
    static let regressions = FuzzTarget.all.flatMap { inputs(of: $0, in: "regressions") }

    /// Names of the folders with seeds, which are the targets that `Fuzz/run` runs.
    static func seeded() -> [String] {
        let corpus = folder.appendingPathComponent("corpus")
        return names(in: corpus).filter { !names(in: corpus.appendingPathComponent($0)).isEmpty }
    }

    /// What a folder holds, sorted; nothing for a folder that isn't there.
    private static func names(in folder: URL) -> [String] {
        let found = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        return (found ?? []).filter { !$0.hasPrefix(".") }.sorted()
    }

    private static func inputs(of target: FuzzTarget, in kind: String) -> [CorpusInput] {
        let folder = folder.appendingPathComponent(kind).appendingPathComponent(target.name)
        return names(in: folder).map { name in
            let file = folder.appendingPathComponent(name).path
            guard let content = FileManager.default.contents(atPath: file) else {
                preconditionFailure("\(file) can't be read")
            }
            return CorpusInput(target: target, file: name, bytes: Array(content))
        }
    }
}
