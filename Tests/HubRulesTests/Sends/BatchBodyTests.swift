import HubRules
import HubTestSupport
import HubVocabulary
import Testing

@Suite("Bodies of batch sends")
struct BatchBodyTests {
    static let payload = #"{"aps":{"alert":"hello"}}"#
    static let devices = #"["A1B2", "C3D4"]"#

    /// A body as most clients write it, lines joined by `end`.
    static func body(
        boundary: String = "nh-batch-multipart-boundary",
        payload: String = payload,
        devices: String = devices,
        disposition: (String) -> String = { "inline; name=\($0)" },
        end: String = "\r\n"
    ) -> String {
        [
            "--\(boundary)", "Content-Type: application/json; charset=utf-8",
            "Content-Disposition: \(disposition("notification"))", "", payload, "--\(boundary)",
            "Content-Type: application/json", "Content-Disposition: \(disposition("devices"))", "",
            devices, "--\(boundary)--", "",
        ].joined(separator: end)
    }

    static func read(_ body: String, _ contentType: String) -> Result<BatchBody, Refusal> {
        do throws(Refusal) {
            return .success(try BatchBody(Array(body.utf8), contentType: Array(contentType.utf8)))
        } catch { return .failure(error) }
    }

    static let plain = "multipart/mixed; boundary=nh-batch-multipart-boundary"

    /// Content type and body, each as a client of its own writes them.
    static let dialects: [(String, String)] = [
        // .NET and Java: quoted boundary, Content-Type before Content-Disposition.
        (#"multipart/mixed; boundary="nh-batch-multipart-boundary""#, body()),
        (plain, body()),
        // JavaScript: blanks around '='.
        (
            #"multipart/mixed; boundary = "nh-boundary-5f0a""#,
            body(boundary: "nh-boundary-5f0a")
        ),
        // An older JavaScript release announces a boundary that the body does not have.
        (#"multipart/mixed; boundary = "nh-boundary-other""#, body(boundary: "nh-boundary-5f0a")),
        // Go: form-data, the headers in the other order.
        (
            "multipart/form-data; boundary=0d1e2f",
            [
                "--0d1e2f", #"Content-Disposition: inline; name=notification"#,
                "Content-Type: application/json", "", payload, "--0d1e2f",
                "Content-Disposition: inline; name=devices", "Content-Type: application/json", "",
                devices, "--0d1e2f--", "",
            ].joined(separator: "\r\n")
        ),
        (plain, body(disposition: { #"form-data; name="\#($0)""# })),
        (plain, body(disposition: { #"INLINE;filename="a;name=b";NAME = "\#($0)" "# })),
        (plain, body(disposition: { "inline;\r\n\tname=\($0)" })),
        ("Multipart/Mixed;charset=utf-8;BOUNDARY=nh-batch-multipart-boundary;x", body()),
        (plain, body(end: "\n")), (plain, "a preamble\r\n\r\n" + body()),
        (plain, body() + "an epilogue\r\n--nh-batch-multipart-boundary\r\n"),
        (plain, String(body().dropLast(1))),
        (plain, body().replacing("boundary--", with: "boundary")),
        (plain, body().replacing("\r\n--nh-batch-multipart-boundary--\r\n", with: "\r\n")),
        (plain, body().replacing("boundary\r\n", with: "boundary \t\r\n")),
        (
            plain,
            body(
                payload: devices,
                devices: payload,
                disposition: {
                    $0 == "devices" ? "inline; name=notification" : "inline; name=devices"
                }
            )
        ),
    ]

    @Test("are read in every dialect that clients write", arguments: dialects)
    func dialect(_ contentType: String, _ body: String) throws {
        let batch = try Self.read(body, contentType).get()
        #expect(String(decoding: batch.notification, as: UTF8.self) == Self.payload)
        #expect(batch.handles.map { String(decoding: $0, as: UTF8.self) } == ["A1B2", "C3D4"])
        #expect(String(decoding: batch.contentType, as: UTF8.self).hasPrefix("application/json"))
    }

    @Test(
        "keep the payload byte for byte",
        arguments: [
            "", "\r\n", "\n\n", "a\r\n--nh-batch\r\nb", "--nh-batch-multipart-boundaries", "x\r",
            " --nh-batch-multipart-boundary", "--nh-batch-multipart-boundary x", "\u{0}\u{7F}ä",
        ]
    )
    func payload(_ text: String) throws {
        let batch = try Self.read(Self.body(payload: text), Self.plain).get()
        #expect(String(decoding: batch.notification, as: UTF8.self) == text)
    }

    @Test("take escapes in handles, and any number of them up to the limit")
    func handles() throws {
        let one = Self.read(Self.body(devices: #" [ "https:\/\/a.b\/\u0063" ] "#), Self.plain)
        #expect(try one.get().handles == [Array("https://a.b/c".utf8)])
        for (count, isTaken) in [(999, true), (1_000, true), (1_001, false)] {
            let list = "[" + (0..<count).map { "\"\($0)\"" }.joined(separator: ",") + "]"
            let batch = Self.read(Self.body(devices: list), Self.plain)
            guard case .failure(let refusal) = batch else {
                #expect(isTaken)
                #expect(try batch.get().handles.count == count)
                continue
            }
            #expect(!isTaken)
            #expect(
                refusal
                    == .invalid(
                        field: "devices",
                        reason: "names 1001 handles; 1000 are allowed"
                    )
            )
        }
    }

    static let faults: [(String, String, String, String)] = [
        ("application/json", body(), "Content-Type", "must be multipart/mixed"),
        ("", body(), "Content-Type", "must be multipart/mixed"),
        ("multipart/mixed", body(), "Content-Type", "must name a boundary"),
        ("multipart/mixed; boundary=", body(), "Content-Type", "must name a boundary"),
        (#"multipart/mixed; boundary="""#, body(), "Content-Type", "must name a boundary"),
        ("multipart/mixed; boundary=\"a\nb\"", body(), "Content-Type", "must name a boundary"),
        (
            "multipart/mixed; boundary=" + String(repeating: "b", count: 71), body(),
            "Content-Type", "must name a boundary of 1 to 70"
        ),
        (plain, "", "body", "has no line with the boundary"),
        (plain, payload, "body", "has no line with the boundary"),
        (plain, "--\r\n", "body", "has no line with the boundary"),
        (plain, "--nh-batch-multipart-boundary--", "body", "the part 'notification' is missing"),
        (
            plain, body().replacing("name=devices", with: "name=notification"), "body",
            "the part 'notification' is there more than once"
        ),
        (
            plain, body().replacing("name=devices", with: "name=device"), "body",
            "part 2 is not named 'notification' or 'devices'"
        ),
        (
            plain, body().replacing("Content-Disposition: inline; name=notification\r\n", with: ""),
            "body", "part 1 is not named"
        ),
        (
            plain, body().replacing("Content-Disposition: inline; name=d", with: "name=d"), "body",
            "part 2 has a header line without ':'"
        ),
        (
            plain, "--nh-batch-multipart-boundary\r\nContent-Type: a\r\n", "body",
            "part 1 has no empty line behind its headers"
        ),
        (
            plain,
            body().replacing(
                "application/json\r\n",
                with: "a\r\nContent-Transfer-Encoding: BASE64\r\n"
            ),
            "body", "part 2 has a Content-Transfer-Encoding other than 8bit"
        ),
        (plain, body(devices: "[]"), "devices", "names no handle"),
        (plain, body(devices: ""), "devices", "is not a JSON array of strings."),
        (plain, body(devices: "{}"), "devices", "(at byte 0)"),
        (plain, body(devices: #"["a",1]"#), "devices", "is not a JSON array of strings."),
        (plain, body(devices: #"["a",["b"]]"#), "devices", "is not a JSON array of strings."),
        (plain, body(devices: #"["a"] x"#), "devices", "text after its end. (at byte 6)"),
        (plain, body(devices: #"["a""#), "devices", "it ends too early."),
    ]

    @Test("that cannot be read are refused with the place", arguments: faults)
    func fault(_ contentType: String, _ body: String, _ field: String, _ reason: String) {
        guard case .failure(let refusal) = Self.read(body, contentType) else {
            Issue.record("read: \(body)")
            return
        }
        #expect(refusal.status == 400)
        #expect(refusal.detail.hasPrefix("\(field): "), "\(refusal.detail)")
        #expect(refusal.detail.contains(reason), "\(refusal.detail)")
    }

    @Test("have at most eight parts, and heads of 4,096 bytes")
    func limits() {
        let part = "--b\r\nContent-Disposition: inline; name=notification\r\n\r\nx\r\n"
        for (count, reason) in [(8, "more than once"), (9, "more than 8 parts")] {
            let body = String(repeating: part, count: count) + "--b--"
            switch Self.read(body, "multipart/mixed; boundary=b") {
            case .success: Issue.record("\(count) parts were read")
            case .failure(let refusal):
                #expect(refusal.detail.contains(reason), "\(count): \(refusal.detail)")
            }
        }
        let head = "--nh-batch-multipart-boundary\r\nX: "
        for (length, isTaken) in [(3_900, true), (4_200, false)] {
            let long = String(repeating: "x", count: length)
            let body = Self.body().replacing(
                "--nh-batch-multipart-boundary\r\nContent-Type: application/json\r\n",
                with: head + long + "\r\n"
            )
            switch Self.read(body, Self.plain) {
            case .success: #expect(isTaken, "\(length)")
            case .failure(let refusal):
                #expect(!isTaken && refusal.detail.contains("more than 4096 bytes"))
            }
        }
    }

    @Test(
        "never do more than refuse, whatever is changed in them",
        arguments: 0..<20 as Range<UInt64>
    )
    func mutations(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let (contentType, text) = Self.dialects.randomElement(using: &random) ?? ("", "")
            var body = Array(text.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) where !body.isEmpty {
                let place = Int.random(in: 0..<body.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: body[place] = UInt8.random(in: 0...255, using: &random)
                case 1: body.remove(at: place)
                case 2: body.insert(contentsOf: "\r\n--".utf8, at: place)
                default: body = Array(body[..<place])
                }
            }
            do throws(Refusal) {
                let batch = try BatchBody(body, contentType: Array(contentType.utf8))
                #expect((1...1_000).contains(batch.handles.count), "seed \(seed)")
                #expect(batch.notification.count < body.count, "seed \(seed)")
            } catch {
                guard case .invalid(let field, let reason) = error else {
                    Issue.record("seed \(seed): \(error) for \(body)")
                    return
                }
                #expect(!field.isEmpty && !reason.isEmpty)
            }
        }
    }
}
