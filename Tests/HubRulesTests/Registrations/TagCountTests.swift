@testable import HubHarness
import HubRules
import HubTags
import HubVocabulary
import Testing

@Suite("How many tags over REST")
struct TagCountTests {
    private typealias Given = GivenInstallation

    private static let most = CoreLimits.standard.registrations.tagsMax

    private static func names(_ count: Int) -> [String] { (0..<count).map { "t\($0)" } }

    private static func list(_ count: Int) -> String {
        "[" + names(count).map { "\"\($0)\"" }.joined(separator: ",") + "]"
    }

    @Test("a registration has at most 256; the next is refused with the number")
    func registration() {
        #expect(throws: Never.self) {
            try content(.apple, handle: "A1", tags: Self.names(Self.most)).validated()
        }
        #expect(
            throws: Refusal.invalid(field: "Tags", reason: "257 tags; 256 are allowed")
        ) {
            try content(.apple, handle: "A1", tags: Self.names(Self.most + 1)).validated()
        }
    }

    @Test("an installation and its templates have as many")
    func installation() {
        for (path, wrapped) in [
            ("/tags", { "\"tags\":\($0)" }),
            ("/templates/t/tags", { "\"templates\":{\"t\":{\"body\":\"{}\",\"tags\":\($0)}}" }),
        ] as [(String, (String) -> String)] {
            #expect(throws: Never.self) {
                _ = try Given.document(Given.apple(wrapped(Self.list(Self.most))))
            }
            let refused = Given.refused {
                _ = try Given.document(Given.apple(wrapped(Self.list(Self.most + 1))))
            }
            #expect(refused.hasPrefix("400") && refused.contains("257 tags"), "\(path): \(refused)")
        }
    }

    @Test("a patch is held to the number at each of its steps, not only at its end")
    func patch() {
        func step(_ tag: String, _ verb: String = "add") -> String {
            "{\"op\":\"\(verb)\",\"path\":\"/tags/\(tag)\"}"
        }
        let full = Given.apple("\"tags\":\(Self.list(Self.most))")
        let swap = "[\(step("t0", "remove")),\(step("new"))]"
        #expect(throws: Never.self) { _ = try Given.patched(full, swap) }
        let refused = Given.refused {
            _ = try Given.patched(full, "[\(step("new")),\(step("t0", "remove"))]")
        }
        #expect(refused.hasPrefix("400") && refused.contains("257 tags"), "\(refused)")
    }
}
