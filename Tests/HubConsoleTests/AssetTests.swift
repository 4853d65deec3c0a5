import HubConsole
import HubModel
import HubQuestions
import HubVocabulary
import Hummingbird
import Testing

@Suite("Files of the console, and sizes")
struct AssetTests {
    @Test("each file is under an address of its content, which never changes")
    func addresses() async throws {
        let world = ConsoleWorld()
        for asset in ConsoleAsset.all {
            let reply = try await world.get(asset.address)
            #expect(reply.status == 200)
            #expect(reply["Cache-Control"] == "public, max-age=31536000, immutable")
            #expect(reply["X-Content-Type-Options"] == "nosniff")
            #expect(reply.body == String(buffer: asset.content))
        }
        #expect(try await world.get("a/0000000000000000/console.js").status == 404)
    }

    @Test("all files together have at most 200 KB, and each its share")
    func sizes() {
        let most = ["console.css": 14_336, "console.js": 8_192, "icons.svg": 4_096]
        for asset in ConsoleAsset.all {
            #expect(asset.content.readableBytes <= most[asset.name] ?? 0, "\(asset.name)")
        }
        #expect(ConsoleAsset.all.reduce(0) { $0 + $1.content.readableBytes } <= 204_800)
    }

    @Test("a page of a hundred rows has at most 60 KB")
    func rows() async throws {
        let world = ConsoleWorld()
        for number in 1...100 {
            try await world.register(
                handle: String(repeating: "AB", count: 30) + String(1_000 + number),
                tags: (0..<8).map { "topic-\(number)-\($0)" }
            )
        }
        let devices = (0..<100).map { ConsoleWorld.device($0, behind: 8_120) }
        world.hub.answer(ListDevices.self, InspectedPart(devices, next: 100))
        for _ in 1...100 { _ = try await world.send(tags: "World && !Sports", body: "{}") }
        let browser = try await world.browser()
        for path in ["devices", "notifications", "registrations", "tags"] {
            let page = try await world.get("h/news/\(path)", browser).body
            #expect(page.utf8.count <= 61_440, "\(path): \(page.utf8.count)")
        }
    }

    /// The colours of a set by their names.
    private static func colours(_ part: Substring) -> [String: [Double]] {
        var found: [String: [Double]] = [:]
        for line in part.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 2, words[0].hasPrefix("--"), words[1].hasPrefix("#") else {
                continue
            }
            let digits = Array(words[1].dropFirst().prefix(6))
            found[String(words[0].dropFirst(2).dropLast())] = [0, 2, 4].map {
                Double(UInt8(String(digits[$0...$0 + 1]), radix: 16) ?? 0) / 255
            }
        }
        return found
    }

    private static func luminance(_ colour: [Double]) -> Double {
        let parts = colour.map { part in
            // The power 2.4, near enough, without a library of mathematics.
            part <= 0.04045 ? part / 12.92 : power((part + 0.055) / 1.055)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }

    /// `base` to the power of 2.4: its square times the fifth root of its square.
    private static func power(_ base: Double) -> Double {
        let square = base * base
        var root = 1.0
        for _ in 0..<60 {
            root = (4 * root + square / (root * root * root * root)) / 5
        }
        return square * root
    }

    @Test("every text stands out from its ground, in light and in dark")
    func contrast() throws {
        let styles = try #require(ConsoleAsset.all.first { $0.name == "console.css" })
        let sets = String(buffer: styles.content).split(separator: "@media", maxSplits: 2)
        for part in sets.prefix(2) {
            let colours = Self.colours(part)
            #expect(colours.count == 11)
            var pairs = [("on-accent", "accent")]
            for text in ["text", "quiet", "link", "good", "waiting", "bad", "accent"] {
                pairs += [(text, "ground"), (text, "raised")]
            }
            for (text, ground) in pairs {
                let lights = try [text, ground].map { Self.luminance(try #require(colours[$0])) }
                    .sorted()
                let ratio = (lights[1] + 0.05) / (lights[0] + 0.05)
                #expect(ratio >= 4.5, "\(text) on \(ground): \(ratio)")
            }
        }
    }
}
