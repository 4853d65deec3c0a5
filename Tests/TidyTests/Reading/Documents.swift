import Foundation

/// The documents that say how things are now.
enum Documents {
    /// Every Markdown file but recorded results, sorted.
    static let current: [String] = Repository.files.filter { name in
        name.hasSuffix(".md") && !name.hasSuffix("/RESULTS.md")
    }

    /// The targets of make that a document names in code, in order.
    static func targets(of text: String) -> [String] {
        var targets: [String] = []
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        for index in parts.indices where index % 2 == 1 {
            for line in parts[index].split(separator: "\n") {
                let words = line.split(separator: " ").drop { $0.contains("=") }
                guard words.first == "make", let name = words.dropFirst().first else { continue }
                targets.append(String(name.prefix { $0.isLowercase || $0 == "-" }))
            }
        }
        return targets.filter { !$0.isEmpty }
    }

    /// Where a program of the search path lies; nil when it is not there.
    static func program(_ name: String) -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { $0 + "/" + name }.first(
            where: FileManager.default.isExecutableFile(atPath:)
        )
    }
}
