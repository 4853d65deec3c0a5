import Foundation
import Testing

/// The code against `Protocol/`, as far as frames, errors and limits are not compared elsewhere.
///
/// `SpecificationTests` of HubWire compares the tables of frames, errors and limits with the types;
/// here are the parcels, the numbers of rules, and the vectors as a stranger reads them.
@Suite("Protocol")
struct ProtocolTests {
    static let specification =
        ["README", "errors", "templates"].map { Repository.document("Protocol/\($0).md") }
        .joined(separator: "\n")
    static let parcels = Repository.document("Protocol/parcels.md")
    static let chapters = "Sources/HubModel/Hub.docc/"
    static let hub =
        Repository.document(chapters + "Rules.md")
        + Repository.document(chapters + "RESTSurface.md")

    @Test("every rule of the link that a comment names exists")
    func linkCitations() {
        let rules = CitationRule.linkRules(of: Self.specification + "\n" + Self.parcels)
        #expect(rules.count > 60)
        let findings = Repository.swift.flatMap { CitationRule.checkLink($0, rules) }
        expectNone(findings)
    }

    @Test("every rule of the hub that a comment names exists")
    func hubCitations() {
        let rules = CitationRule.hubRules(of: Self.hub)
        #expect(rules.contains("C.4"))
        let findings = Repository.swift.flatMap { CitationRule.checkHub($0, rules) }
        expectNone(findings)
    }

    @Test("every decision that a comment names has a page")
    func decisionCitations() {
        let pages = Set(Documents.current.filter { $0.hasPrefix(Self.chapters + "Decisions/") })
        #expect(pages.count > 40)
        let findings = Repository.swift.flatMap { file in
            CitationRule.checkDecisions(file) { pages.contains(Self.chapters + $0 + ".md") }
        }
        expectNone(findings)
    }

    @Test("the citation rules see what does not exist")
    func citationsCanFail() {
        let specification = "## 4. Frames\n### 4.3 PING\n- **[F-1]** TLS\n"
        let rules = CitationRule.linkRules(of: specification)
        #expect(rules == ["§4", "§4.3", "[F-1]"])
        let link = "/// Source: [F-1], [F-2]; Protocol §4.3, Protocol §5.\nlet a = [b-1]\n"
        #expect(
            messages({ CitationRule.checkLink($0, rules) }, link) == [
                "1: cites [F-2], which Protocol does not have",
                "1: cites §5, which Protocol does not have",
            ]
        )
        let hub =
            "/// Source: rules C.4, rules B.12, REST §1.2, REST reference §9. The rules apply.\n"
        let defined = CitationRule.hubRules(of: "**C.4** Tags. **§1.2** Strings.")
        #expect(
            messages({ CitationRule.checkHub($0, defined) }, hub) == [
                "1: cites REST §9, which Hub.docc does not have",
                "1: cites rules B.12, which Hub.docc does not have",
            ]
        )
        let absent = "/// Source: design §5.13.\n"
        #expect(
            messages({ CitationRule.checkHub($0, defined) }, absent)
                == ["1: cites design §5.13, which Hub.docc does not have"]
        )
        let decided = "/// Source: Decisions/Kept, Decisions/Dropped; decision 7.\n"
        #expect(
            messages({ CitationRule.checkDecisions($0) { $0 == "Decisions/Kept" } }, decided) == [
                "1: cites Decisions/Dropped, which Hub.docc does not have",
                "1: cites a decision by number; decisions have names",
            ]
        )
    }

    @Test("entry errors in code and in parcels.md are the same")
    func entryErrors() {
        let name = "Sources/HubParcel/ParcelError.swift"
        let file = SourceFile(name: name, text: Repository.document(name), language: .swift)
        let coded = Set(file.code.filter { $0.kind == .string }.map(\.text))
        let rule = Self.parcels.split(separator: "\n").first { $0.hasPrefix("**[P-9]**") } ?? ""
        let words = rule.split { !$0.isLetter && $0 != "_" }.map(String.init)
        let written = Set(words.filter { $0.contains("_") && $0 == $0.uppercased() })
        #expect(coded.count == 4)
        #expect(written == coded)
    }

    @Test("limits of parcels in code and in parcels.md are the same numbers")
    func parcelLimits() {
        let name = "Sources/HubParcel/ParcelLimits.swift"
        let file = SourceFile(name: name, text: Repository.document(name), language: .swift)
        var coded: [String: Int] = [:]
        for index in file.code.indices.dropLast(4) where file.code[index].text == "let" {
            guard let equals = file.code[index...].firstIndex(where: { $0.text == "=" }) else {
                continue
            }
            let digits = file.code[equals + 1].text.filter { $0 != "_" }
            coded[file.code[index + 1].text] = Int(digits)
        }
        #expect(coded.count >= 10, "\(coded)")
        let numbers = Self.numbers(Self.parcels)
        for (limit, value) in coded.sorted(by: { $0.key < $1.key }) {
            #expect(numbers.contains(value), "\(limit) \(value) is not in parcels.md")
        }
        let rows = MarkdownTable.rows(of: Self.parcels, header: ["Limit", "Value"])
        #expect(rows.count >= 8)
        for row in rows {
            for value in Self.numbers(row.cells[1]) {
                #expect(
                    coded.values.contains(value),
                    "parcels.md:\(row.line) \(row.cells[0]) \(value)"
                )
            }
        }
    }

    @Test("there are at least 150 vectors, 80 of them malformed, each with one expectation")
    func vectors() throws {
        var all = 0
        var malformed = 0
        for file in ["session", "keepalive", "registration", "delivery", "receipts", "framing"] {
            for vector in try Self.objects("Protocol/vectors/\(file).json") {
                all += 1
                let kinds = ["expect", "error", "need_more"].filter { vector[$0] != nil }
                #expect(kinds.count == 1, "\(file): \(vector["name"] ?? "?")")
                if vector["error"] != nil { malformed += 1 }
            }
        }
        #expect(all >= 150)
        #expect(malformed >= 80)
        for file in ["parcel", "inflate"] {
            let vectors = try Self.objects("Protocol/vectors/\(file).json")
            #expect(vectors.contains { $0["entry_error"] != nil })
            #expect(vectors.contains { $0["expect"] != nil })
        }
    }

    @Test("the client in Python has at most 400 lines and imports Python's library alone")
    func interopClient() {
        let client = Repository.document("Tests/Outside/Interop/client.py")
        #expect(!client.isEmpty)
        #expect(client.split(separator: "\n", omittingEmptySubsequences: false).count <= 401)
        let library: Set<String> = [
            "argparse", "base64", "binascii", "ctypes", "dataclasses", "datetime", "enum",
            "hashlib",
            "hmac", "io", "json", "math", "os", "pathlib", "random", "re", "select", "socket",
            "ssl",
            "struct", "subprocess", "sys", "tempfile", "time", "typing", "unittest", "urllib",
            "uuid", "zlib", "http", "collections", "itertools", "functools", "secrets", "threading",
        ]
        for line in client.split(separator: "\n") {
            let words = line.split { $0 == " " || $0 == "," || $0 == "." }
            guard let first = words.first, ["import", "from"].contains(first) else { continue }
            let modules = first == "from" ? [words[1]] : Array(words.dropFirst())
            for module in modules where !library.contains(String(module)) {
                Issue.record("client.py imports \(module): \(line)")
            }
        }
    }

    /// Every whole number in a text, thousands separated by commas or not; powers of two count by
    /// their exponent.
    static func numbers(_ text: String) -> Set<Int> {
        let words = text.split { !$0.isNumber && $0 != "," }
        return Set(words.compactMap { Int($0.filter { $0 != "," }) })
    }

    private static func objects(_ name: String) throws -> [[String: Any]] {
        let bytes = Data(Repository.document(name).utf8)
        return try #require(JSONSerialization.jsonObject(with: bytes) as? [[String: Any]])
    }
}
