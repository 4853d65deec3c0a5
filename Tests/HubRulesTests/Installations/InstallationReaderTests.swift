@testable import HubHarness
import HubModel
import HubRules
import HubTags
import HubTemplates
import HubVocabulary
import Testing

@Suite("Installation documents")
struct InstallationReaderTests {
    private typealias Given = GivenInstallation

    @Test("a document comes back in the service's order, empty members left out")
    func order() throws {
        let given = """
            {"templates":{"Daily news":{"tags":[],"headers":{"X-WNS-Type":"wns/toast"},\
            "body":"<toast a=\\"$(x)\\"/>","name":"Daily news","unknown":1}},\
            "pushVariables":{"nick":"Mara"},"tags":["World"," locale:fr ",""],"USERID":"mara",\
            "expirationTime":"2026-08-02T11:12+0200","platform":"WNS","lastUpdate":"x",\
            "pushChannelExpired":true,"pushChannel":"https://push.example.net/c/1",\
            "secondaryTiles":{"weather":{"pushChannel":"https://push.example.net/c/2",\
            "tags":["rain"],"templates":{}}},"installationId":"i-1","other":{"a":[1,null]}}
            """
        let document = try Given.document(given)
        let text = """
            {"installationId":"i-1","pushChannel":"https://push.example.net/c/1",\
            "platform":"wns","expirationTime":"2026-08-02T09:12:00.000Z","userId":"mara",\
            "tags":["World","locale:fr"],"pushVariables":{"nick":"Mara"},\
            "templates":{"Daily news":{"body":"<toast a=\\"$(x)\\"/>",\
            "headers":{"X-WNS-Type":"wns/toast"},"tags":["Daily news"]}},\
            "secondaryTiles":{"weather":{"pushChannel":"https://push.example.net/c/2",\
            "tags":["rain"]}}}
            """
        #expect(String(decoding: document.value().json, as: UTF8.self) == text)
        // What is read again says the same, and so does what is put again.
        #expect(try Given.document(text).value().json == Array(text.utf8))
        let answer = String(decoding: document.value(channelExpired: false).json, as: UTF8.self)
        #expect(answer.contains(#"/c/1","pushChannelExpired":false,"platform":"wns""#))
    }

    @Test(
        "null is absent, as .NET and Android write it",
        arguments: [
            #""userId":null,"pushChannelExpired":null,"expirationTime":null,"tags":null"#,
            #""templates":null,"pushVariables":null,"secondaryTiles":null,"templates":{"a":null}"#,
            #""expirationTime":"0001-01-01T00:00:00","tags":[null]"#,
            #""expirationTime":"9999-12-31T23:59:59.9999999Z""#,
            #""pushVariables":{"nick":null}"#,
        ]
    )
    func nulls(more: String) throws {
        let document = try Given.document(Given.apple(more))
        #expect(String(decoding: document.value().json, as: UTF8.self) == Given.stored())
    }

    @Test(
        "every client's word for a platform is understood",
        arguments: [
            ("fcmV1", Platform.fcmV1), ("FCMV1", .fcmV1), ("fcm", .gcm), ("APNS", .apple),
            ("wns", .windows), ("mpns", .windowsPhone), ("adm", .adm), ("baidu", .baidu),
            ("browser", .browser), ("Xiaomi", .xiaomi), ("gcm", .gcm),
        ]
    )
    func platforms(word: String, platform: Platform) throws {
        let document = try Given.document(
            #"{"installationId":"i-1","platform":"\#(word)","pushChannel":"x"}"#
        )
        #expect(document.platform == platform)
        let text = String(decoding: document.value().json, as: UTF8.self)
        #expect(text.contains(#""platform":"\#(platform.installationName)""#))
    }

    @Test("a browser's subscription comes back in the form it came in")
    func subscriptions() throws {
        let object = #"{"endpoint":"https://p.example/1","p256dh":"AQ","auth":"Ag"}"#
        let asText = "\"" + object.replacing("\"", with: "\\\"") + "\""
        for form in [object, asText] {
            let document = try Given.document(
                #"{"installationId":"i-1","platform":"browser","pushChannel":\#(form)}"#
            )
            let text = String(decoding: document.value().json, as: UTF8.self)
            #expect(text.contains(#""pushChannel":\#(form),"#))
            let draft = try InstallationDraft(document, limits: .standard)
            #expect(draft.parts.map(\.handle) == [Array("https://p.example/1".utf8)])
            #expect(draft.parts[0].platformFields.map(\.value) == [[65, 81], [65, 103]])
        }
    }

    @Test(
        "what is wrong is named by its path",
        arguments: [
            ("[]", "installation: must be a JSON object"),
            (#"{"platform":"apns","pushChannel":"AB"}"#, "/installationId: is missing"),
            (
                #"{"installationId":"other","platform":"apns","pushChannel":"AB"}"#,
                "/installationId: is not the id of the address"
            ),
            (#"{"installationId":"i-1","pushChannel":"AB"}"#, "/platform: is missing"),
            (
                #"{"installationId":"i-1","platform":"palm","pushChannel":"AB"}"#,
                "/platform: is none of apns, gcm, fcmv1, wns, mpns, adm, baidu, browser, xiaomi"
            ),
            (#"{"installationId":"i-1","platform":"apns"}"#, "/pushChannel: is missing"),
            (Given.apple(handle: "xyz"), "/pushChannel: must be an even number of hex digits"),
            (Given.apple(#""tags":"World""#), "/tags: must be an array of strings"),
            (Given.apple(#""tags":["ok",7]"#), "/tags/1: must be a string"),
            (Given.apple(#""userId":"a b""#), "/userId: must have 1 to 110 bytes"),
            (Given.apple(#""expirationTime":"soon""#), "/expirationTime: is no time"),
            (Given.apple(#""templates":{"a":{}}"#), "/templates/a/body: is missing"),
            (Given.apple(#""templates":{"a":"{}"}"#), "/templates/a: must be an object"),
            (Given.apple(#""templates":{"a":{"body":{}}}"#), "/templates/a/body: must be a string"),
            (Given.apple(#""templates":{"a":{"body":"{\"x\":\"$(\"}"}}"#), "/templates/a/body: "),
            (Given.apple(#""templates":{"":{"body":"{}"}}"#), "/templates: the name of number 1"),
            (Given.apple(#""pushVariables":{"a":7}"#), "/pushVariables/a: must be a string"),
            (Given.apple(#""pushVariables":{"a b":"c"}"#), "/pushVariables: the name of number 1"),
            (
                Given.apple(#""secondaryTiles":{"t":{"pushChannel":"AB"}}"#),
                "/secondaryTiles: exist on the platform wns only"
            ),
            (Given.apple(#""tags":["$InstallationId:{x}"]"#), "/tags: Tags can not start with $."),
            (
                Given.apple(#""userId":"a","tags":["$UserId:{b}"]"#),
                "/tags: At most one $UserId tag is allowed."
            ),
            (
                Given.apple(
                    #""templates":{"$InstallationId:{x}":{"body":"{\"a\":\"b\"}","#
                        + #""tags":["$InstallationId:{x}"]}}"#
                ),
                "/templates/$InstallationId:{x}/tags: Tags can not start with $."
            ),
        ]
    )
    func refusals(json: String, detail: String) {
        let refused = Given.refused { _ = try Given.draft(json) }
        #expect(refused.hasPrefix("400 \(detail)"), "\(refused)")
    }

    @Test("what is derived: a native registration, and one for each template")
    func parts() throws {
        let draft = try Given.draft(
            Given.apple(
                #""userId":"mara","tags":["World"],"pushVariables":{"nick":"M"},"templates":{"#
                    + #""Daily news":{"body":"{\"a\":\"$(b)\"}"},"#
                    + #""named":{"body":"{\"a\":\"$(b)\"}","tags":["Politics","Named"]},"#
                    + #""$odd":{"body":"{\"a\":\"$(b)\"}"}}"#,
                handle: "ab01"
            )
        )
        let spelled = draft.parts.map { part in
            (0..<part.tags.count).map {
                String(decoding: part.tags.bytes[part.tags.range(at: $0)], as: UTF8.self)
            }
        }
        #expect(
            spelled == [
                ["$UserId:{mara}", "World"], ["$UserId:{mara}", "World", "Daily news"],
                ["$UserId:{mara}", "World", "Politics", "named"], ["$UserId:{mara}", "World"],
            ]
        )
        #expect(draft.parts.allSatisfy { $0.handle == Array("AB01".utf8) })
        #expect(draft.parts.allSatisfy { $0.pushVariables.count == 1 })
        #expect(draft.parts.map { $0.template?.name.count } == [nil, 10, 5, 4])
    }

    @Test("the largest document, list of tags, templates and ids are taken, one more is refused")
    func limits() throws {
        var limits = CoreLimits()
        limits.installations.installationBytesMax = Given.stored().utf8.count
        _ = try Given.draft(Given.apple(), limits: limits)
        limits.installations.installationBytesMax -= 1
        #expect(
            Given.refused { _ = try Given.draft(Given.apple(), limits: limits) }.hasPrefix("413")
        )

        func templates(_ count: Int) -> String {
            let all = (0..<count).map { #""t\#($0)":{"body":"{\"a\":\"b\"}"}"# }
            return Given.apple(#""templates":{\#(all.joined(separator: ","))}"#)
        }
        #expect(try Given.draft(templates(31)).parts.count == 32)
        #expect(
            Given.refused { _ = try Given.draft(templates(32)) }
                == "400 templates of one push channel: at most 31 are allowed."
        )

        // 8,000 bytes with commas: the hub's own tag of 21 bytes, and these.
        func tags(_ bytes: Int) -> String {
            var all = (0..<68).map {
                "t\($0)-" + String(repeating: "x", count: 114 - "\($0)".count)
            }
            let size = all.reduce(0) { $0 + $1.utf8.count + 1 }
            all.append(String(repeating: "y", count: bytes - size))
            return Given.apple(#""tags":[\#(all.map { "\"\($0)\"" }.joined(separator: ","))]"#)
        }
        let room =
            CoreLimits.standard.registrations.tagsBytesMax - "$InstallationId:{i-1},".utf8.count
        _ = try Given.draft(tags(room))
        #expect(Given.refused { _ = try Given.draft(tags(room + 1)) }.hasPrefix("400 /tags: "))

        func tiles(_ count: Int) -> String {
            let all = (0..<count).map { #""t\#($0)":{"pushChannel":"https://p.example/\#($0)"}"# }
            return #"{"installationId":"i-1","platform":"wns","pushChannel":"https://p.example","#
                + #""secondaryTiles":{\#(all.joined(separator: ","))}}"#
        }
        #expect(try Given.draft(tiles(8)).parts.count == 9)
        #expect(Given.refused { _ = try Given.draft(tiles(9)) }.hasPrefix("400 secondary tiles"))

        let long = String(repeating: "i", count: 102)
        _ = try Given.draft(Given.apple(id: long), id: long)
        #expect(
            Given.refused { _ = try Given.draft(Given.apple(id: long + "i"), id: long + "i") }
                == "400 /installationId: must have 1 to 102 bytes: letters, digits and -_@#.:="
        )
        _ = try Given.draft(Given.apple(id: "a=_@#.:-"), id: "a=_@#.:-")
        #expect(
            Given.refused { _ = try Given.draft(Given.apple(id: "a}"), id: "a}") }.hasPrefix("400")
        )
    }

    @Test("blanks around a template's name are not part of its tag")
    func blankNames() throws {
        for (name, tag) in [(" a b ", ["a b"]), ("  ", []), (" $x", [])] {
            let draft = try Given.draft(Given.apple(#""templates":{"\#(name)":{"body":"{}"}}"#))
            let text = String(decoding: draft.text, as: UTF8.self)
            let tags = draft.parts[1].tags
            #expect(tags == TagSet(tag.map { Array($0.utf8) }), "\(name)")
            #expect(try Given.draft(text).text == draft.text, "\(name)")
        }
    }

    @Test("the JSON of a value is read as it was written")
    func json() throws {
        let text = #"{"a":[1.50,-0,true,false,null,"é\"\\\u0001\n"],"a":{},"b":[]}"#
        #expect(String(decoding: try Given.value(text).json, as: UTF8.self) == text)
        #expect(throws: JSONTextError.self) { _ = try Given.value("{} x") }
        let deep = Array((String(repeating: "[", count: 3) + "]]]").utf8)
        #expect(throws: JSONTextError.self) { _ = try JSONTree(json: deep.span, depthMax: 2) }
        _ = try JSONTree(json: deep.span, depthMax: 3)
    }

    @Test("a stored installation is read exactly; anything else is named", arguments: 1...4)
    func codec(_ shape: Int) throws {
        let installation = Installation(
            number: InstallationNumber(.max),
            id: Array("I-1".utf8),
            platform: .xiaomi,
            text: Array(Given.stored().utf8),
            isGranted: shape % 2 == 0,
            expires: shape > 2 ? Timestamp(milliseconds: 7) : nil
        )
        let bytes = InstallationCodec.encode(installation)
        #expect(try InstallationCodec.decode(bytes.span) == installation)
        for count in 0..<bytes.count {
            let cut = Array(bytes.prefix(count))
            #expect(throws: RecordProblem.self) { _ = try InstallationCodec.decode(cut.span) }
        }
        let long = bytes + [0]
        #expect(throws: RecordProblem.self) { _ = try InstallationCodec.decode(long.span) }
    }
}
