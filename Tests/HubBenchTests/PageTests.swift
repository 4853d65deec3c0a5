import Testing

@testable import HubBench

@Suite("The HTML report")
struct PageTests {
    private static func page() -> String {
        var turn = ReportTests.turn(10, (1...500).map { $0 })
        turn.read("<script>alert('x')</script> & \"more\"", 3, "a<b", .neither)
        turn.faults = ["a fault & <b>nothing bold</b>"]
        var report = ReportTests.report([turn])
        report.settings["tag"] = "\"quoted\" <tag>"
        return BenchPage([report, ReportTests.report([ReportTests.turn(1)])]).html
    }

    /// Checks that every element is closed by its own name, in order; the faults found.
    private static func faults(_ html: String) -> [String] {
        let void: Set<String> = ["meta", "line"]
        var open: [String] = []
        var faults: [String] = []
        for piece in html.split(separator: "<").dropFirst(html.hasPrefix("<") ? 0 : 1) {
            guard let end = piece.firstIndex(of: ">") else {
                faults.append("'<\(piece)' does not end")
                continue
            }
            let tag = piece[..<end]
            if tag.filter({ $0 == "\"" }).count % 2 == 1 { faults.append("quotes of '\(tag)'") }
            if tag.hasPrefix("!") || tag.hasSuffix("/") { continue }
            if tag.hasPrefix("/") {
                if open.popLast() != String(tag.dropFirst()) { faults.append("'<\(tag)>'") }
            } else if let name = tag.split(separator: " ").first.map(String.init),
                !void.contains(name)
            {
                open.append(name)
            }
        }
        return faults + open.map { "'<\($0)>' is not closed" }
    }

    @Test("closes what it opens, and escapes what others named")
    func valid() {
        let html = Self.page()
        #expect(Self.faults(html) == [])
        #expect(Self.faults("<p><b>x</p></b>") != [], "the check itself finds something")
        #expect(html.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;more"))
        #expect(!html.contains("<script") && !html.contains("<b>"))
        #expect(html.contains("--tag &quot;quoted&quot; &lt;tag&gt;"))
        #expect(html.contains("A &lt;fast&gt; one"))
    }

    @Test("needs no network, and knows dark screens")
    func standalone() {
        let html = Self.page()
        for word in ["http:", "https:", "src=", "@import", "url(", "<link"] {
            #expect(!html.contains(word), "\(word)")
        }
        #expect(html.contains("prefers-color-scheme:dark") && html.contains("color-scheme"))
    }

    @Test("draws each curve from left to right, inside the picture")
    func curves() throws {
        let html = Self.page()
        let parts = html.split(separator: "points=\"").dropFirst()
        #expect(parts.count == 1, "a sample without times has no curve")
        for part in parts {
            let points = part.prefix { $0 != "\"" }.split(separator: " ").map { point in
                point.split(separator: ",").compactMap { Double($0) }
            }
            #expect(points.count > 10 && points.allSatisfy { $0.count == 2 })
            let x = points.map { $0[0] }
            #expect(x == x.sorted())
            #expect(points.allSatisfy { (0...860).contains($0[0]) && (0...300).contains($0[1]) })
            let y = points.map { $0[1] }
            #expect(y == y.sorted(by: >), "rarer is slower, and slower is higher")
        }
    }
}
