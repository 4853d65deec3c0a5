package import HubWire

/// One frame of `Protocol/example.md`, in the order of the page.
package struct ExampleFrame: Sendable {
    /// Who sends it.
    package let direction: Direction
    /// The name in its heading.
    package let name: String
    /// All its fields.
    package let bytes: [UInt8]

    /// The frames of the page: each has a heading `### 1. Device: HELLO` and lines of hex.
    package static let all: [ExampleFrame] = read(Vectors.text("Protocol/example.md"))

    private static func read(_ page: String) -> [ExampleFrame] {
        page.parts(between: "\n### ").dropFirst().map { part in
            let lines = part.split(separator: "\n")
            let words = lines[0].split(separator: " ").map(String.init)
            let code = part.parts(between: "```")[1]
            let hex = code.split(separator: "\n").compactMap { $0.split(separator: " ").first }
            return ExampleFrame(
                direction: words[1] == "Hub:" ? .hubToDevice : .deviceToHub,
                name: words[2],
                bytes: HexText.bytes(hex.joined())
            )
        }
    }
}

extension StringProtocol {
    fileprivate func parts(between separator: String) -> [Substring] {
        var parts: [Substring] = []
        var rest = Substring(self)
        while let range = rest.firstRange(of: separator) {
            parts.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        return parts + [rest]
    }
}
