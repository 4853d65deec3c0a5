/// A link between documents leads somewhere, as a browser of the repository follows it.
enum LinkRule {
    /// Links of a document to files that are not there, or to headings that they do not have.
    static func check(_ document: String, _ text: (String) -> String?) -> [Finding] {
        let folder = document.split(separator: "/").dropLast()
        return targets(of: text(document) ?? "").compactMap { line, target in
            func finding(_ message: String) -> Finding {
                Finding(file: document, line: line, message: message)
            }
            let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            let name = parts[0].isEmpty ? document : path(from: folder, String(parts[0]))
            guard let there = text(name) else {
                return finding("links to \(target), which is not there")
            }
            guard parts.count == 2, !anchors(of: there).contains(String(parts[1])) else {
                return nil
            }
            return finding("links to \(target), a heading that is not there")
        }
    }

    /// The targets of links, with their lines, outside of code and of the world.
    private static func targets(of text: String) -> [(Int, String)] {
        var targets: [(Int, String)] = []
        var isCode = false
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            if line.hasPrefix("```") { isCode.toggle() }
            guard !isCode else { continue }
            for part in line.components(between: "](", and: ")") where !part.contains("://") {
                targets.append((index + 1, part))
            }
        }
        return targets
    }

    private static func path(from folder: ArraySlice<Substring>, _ target: String) -> String {
        var path = Array(folder)
        for part in target.split(separator: "/") {
            if part == ".." {
                if !path.isEmpty { path.removeLast() }
            } else if part != "." {
                path.append(part)
            }
        }
        return path.joined(separator: "/")
    }

    /// The headings of a document as their addresses are written.
    private static func anchors(of text: String) -> Set<String> {
        Set(
            text.split(separator: "\n").filter { $0.hasPrefix("#") }.map { line in
                let title = line.drop { $0 == "#" || $0 == " " }.lowercased()
                let kept = title.filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
                return kept.replacing(" ", with: "-")
            }
        )
    }
}

extension StringProtocol {
    /// What stands between each `start` and the `end` that follows it.
    func components(between start: String, and end: String) -> [String] {
        ranges(of: start).compactMap { range in
            self[range.upperBound...].firstRange(of: end).map {
                String(self[range.upperBound..<$0.lowerBound])
            }
        }
    }
}
