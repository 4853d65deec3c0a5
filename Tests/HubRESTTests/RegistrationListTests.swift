import HubDirectory
import HubModel
import HubQuestions
import HubTags
import HubVocabulary
import Testing

@Suite("Registration lists")
struct RegistrationListTests {
    private static func filled(_ count: Int) -> RESTHarness {
        let harness = RESTHarness()
        let stored = (1...count).map { number in
            Registration.sample(
                RegistrationContent(
                    platform: .gcm,
                    handle: Array("g\(number)".utf8),
                    tags: TagSet([Array("World".utf8)])
                ),
                number: UInt32(number),
                id: Array("1-\(number)-1".utf8)
            )
        }
        harness.hub.change { $0.registrations = stored }
        return harness
    }

    private static func ids(_ body: String) -> [Substring] {
        body.split(separator: "<RegistrationId>").dropFirst().map { $0.prefix { $0 != "<" } }
    }

    @Test("are one-line feeds with self and next links")
    func golden() async throws {
        let harness = Self.filled(3)
        let uri = "/news/registrations?$top=2&api-version=2020-06"
        let reply = try await harness.send(.get, uri)
        let token = try #require(reply["x-ms-continuationtoken"])
        let own = "https://localhost/news/registrations?api-version=2020-06&amp;$top=2"
        let head =
            #"<feed xmlns="http://www.w3.org/2005/Atom"><title type="text">Registrations</title>"#
            + "<id>\(own)</id><updated>2026-05-04T09:12:03Z</updated>"
            + #"<link rel="self" href="\#(own)"/>"#
            + #"<link rel="next" href="\#(own)&amp;continuationtoken=\#(token)"/>"#
            + #"<entry a:etag="W/&quot;1&quot;" "#
            + #"xmlns:a="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">"#
            + "<id>https://localhost/news/registrations/1-1-1?api-version=2020-06</id>"
        #expect(reply.body.hasPrefix(head), "\(reply.body)")
        #expect(reply.body.hasSuffix("</content></entry></feed>"))
        #expect(reply.status == 200)
        #expect(reply["Content-Type"] == "application/atom+xml; type=feed; charset=utf-8")
        #expect(Self.ids(reply.body) == ["1-1-1", "1-2-1"])
        #expect(token.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) })
    }

    @Test(
        "page under every spelling of the token",
        arguments: [
            "continuationtoken", "ContinuationToken", "%63ontinuationtoken",
        ]
    )
    func pages(_ name: String) async throws {
        let harness = Self.filled(5)
        var found: [Substring] = []
        var token: String?
        var pages = 0
        repeat {
            let suffix = token.map { "&\(name)=\($0)" } ?? ""
            let reply = try await harness.send(.get, "/news/registrations/?%24top=2\(suffix)")
            #expect(reply.status == 200)
            found += Self.ids(reply.body)
            token = reply["x-ms-continuationtoken"]
            #expect(reply.body.contains("rel=\"next\"") == (token != nil))
            pages += 1
        } while token != nil && pages < 10
        #expect(found == ["1-1-1", "1-2-1", "1-3-1", "1-4-1", "1-5-1"])
        #expect(pages == 3)
    }

    @Test("take a token that was percent-encoded once more")
    func encodedToken() async throws {
        let harness = Self.filled(3)
        let first = try await harness.send(.get, "/news/registrations?$top=1")
        let token = try #require(first["x-ms-continuationtoken"])
        let digit = try #require(token.utf8.first)
        let encoded = "%25" + String(digit, radix: 16) + token.dropFirst()
        let uri = "/news/registrations?$top=1&continuationtoken=\(encoded)"
        let reply = try await harness.send(.get, uri)
        #expect(Self.ids(reply.body) == ["1-2-1"])
    }

    @Test("refuse tokens they did not give out")
    func brokenTokens() async throws {
        let harness = Self.filled(3)
        let first = try await harness.send(.get, "/news/registrations?$top=1")
        let token = try #require(first["x-ms-continuationtoken"])
        let swapped = String(token.dropLast()) + (token.hasSuffix("0") ? "1" : "0")
        let other = "00000002" + token.dropFirst(8)
        let uris = [
            "/news/registrations?continuationtoken=x",
            "/news/registrations?continuationtoken=\(swapped)",
            "/news/registrations?continuationtoken=\(other)",
            "/news/registrations?continuationtoken=\(token.uppercased())Z",
            "/news/registrations?continuationtoken=\(token.dropLast())",
            "/news/registrations?continuationtoken=%FF%FE",
            "/news/registrations?$filter=a+eq+'b'&continuationtoken=\(token)",
            "/news/tags/World/registrations?continuationtoken=\(token)",
        ]
        let asked = harness.hub.read { $0.requests.count }
        for uri in uris {
            let reply = try await harness.send(.get, uri)
            #expect(reply.status == 400, "\(uri)")
            #expect(reply.body.contains("ContinuationToken: is not one"), "\(uri)")
        }
        #expect(harness.hub.read { $0.requests.count } == asked)
    }

    @Test("leave out as many entries as asked, and say how to go on")
    func skip() async throws {
        let harness = Self.filled(5)
        for (query, ids) in [
            ("$skip=0&$top=2", ["1-1-1", "1-2-1"]), ("$skip=1&$top=2", ["1-2-1", "1-3-1"]),
            ("$top=2&$skip=4", ["1-5-1"]), ("$skip=5", []), ("$skip=10000", []),
        ] as [(String, [Substring])] {
            let reply = try await harness.send(.get, "/news/registrations?\(query)")
            #expect(reply.status == 200 && Self.ids(reply.body) == ids, "\(query): \(reply.body)")
            #expect(!reply.body.contains(/rel="next" href="[^"]*skip/), "\(reply.body)")
            guard let token = reply["x-ms-continuationtoken"] else { continue }
            let uri = "/news/registrations?$top=9&continuationtoken=\(token)"
            let rest = Self.ids(try await harness.send(.get, uri).body)
            #expect(rest.first == (query.contains("=0") ? "1-3-1" : "1-4-1"))
        }
        for value in ["-1", "10001", "x"] {
            let reply = try await harness.send(.get, "/news/registrations?$skip=\(value)")
            #expect(reply.status == 400 && reply.body.contains("$skip: must be a number from 0"))
        }
    }

    @Test(
        "of other things refuse to skip, so that no client reads the first page for ever",
        arguments: [
            "/news/$belfry/installations", "/news/$belfry/schedulednotifications",
            "/news/$belfry/tags",
        ]
    )
    func skipElsewhere(_ path: String) async throws {
        let reply = try await RESTHarness().send(.get, path + "?$top=1&$skip=1")
        #expect(reply.status == 400)
        #expect(reply.body.contains("$skip: is not known here"), "\(reply.body)")
        #expect(try await RESTHarness().send(.get, path + "?$skip=x").status == 400)
    }

    @Test("without a match are feeds without entries")
    func empty() async throws {
        let harness = RESTHarness()
        for uri in ["/news/registrations", "/news/tags/x/registrations"] {
            let reply = try await harness.send(.get, uri)
            #expect(reply.status == 200)
            #expect(reply.body.hasPrefix("<feed ") && !reply.body.contains("<entry"))
            #expect(reply["x-ms-continuationtoken"] == nil)
        }
    }

    @Test(
        "bound $top at, below and above its limits",
        arguments: [
            ("", 100), ("?$top=1", 1), ("?%24TOP=99", 99), ("?$top=100", 100), ("?$top=101", 100),
            ("?$top=9999999999", 100), ("?$top=", 100), ("?$top=0", nil), ("?$top=-1", nil),
            ("?$top=x", nil), ("?$top=99999999999999999999", nil),
        ] as [(String, Int?)]
    )
    func top(_ query: String, _ limit: Int?) async throws {
        let harness = RESTHarness()
        let reply = try await harness.send(.get, "/news/registrations" + query)
        #expect(reply.status == (limit == nil ? 400 : 200))
        guard let asked = harness.hub.last(ListRegistrations.self)?.limit else {
            #expect(limit == nil, "no command for \(query)")
            return
        }
        #expect(asked == limit)
    }

    @Test(
        "find tags with any characters in the path",
        arguments: [
            ("/news/tags/World/registrations", "World"),
            ("/news/Tags/a%40b%2Fc/Registrations/", "a@b/c"),
            ("/news/tags/username:mara/registrations?$top=5", "username:mara"),
            ("/news/tags/%24InstallationId%3A%7Bx%3D1%7D/registrations", "$InstallationId:{x=1}"),
        ]
    )
    func tags(_ uri: String, _ tag: String) async throws {
        let harness = RESTHarness()
        #expect(try await harness.send(.get, uri).status == 200)
        guard case .tag(let asked)? = harness.hub.last(ListRegistrations.self)?.filter else {
            Issue.record("no list by tag for \(uri)")
            return
        }
        #expect(String(asked) == tag)
    }

    @Test(
        "take every client's filter",
        arguments: [
            ("ChannelUri+eq+'AB12'", ["AB12"]),
            ("deviceToken eq 'ab12'", ["ab12", "AB12"]),
            ("channeluri%20eq%20%27https%3a%2f%2fw%2f1%27", ["https://w/1"]),
            (
                "ChannelUri eq 'https%253a%252f%252fw%252f1'",
                ["https%3a%2f%2fw%2f1", "https://w/1"]
            ),
            ("GcmRegistrationId eq 'a:b-c_d'", ["a:b-c_d"]),
            ("FcmV1RegistrationId EQ 'it''s'", ["it's"]),
            ("AdmRegistrationId eq 'x y'", ["x y"]),
            ("ChannelUri eq 'HTTPS://W.example'", ["HTTPS://W.example", "https://w.example/"]),
            ("BaiduUserId-BaiduChannelId eq 'u-77'", ["u-77"]),
            ("BaiduChannelId eq 77' and BaiduUserId eq 'u'", ["u-77"]),
            ("BaiduChannelId eq '77'", ["77"]),
            (
                "ChannelUri eq 'urn:belfry:\(String(repeating: "0a", count: 32))'",
                [
                    "urn:belfry:" + String(repeating: "0a", count: 32),
                    String(repeating: "0A", count: 32),
                ]
            ),
            (
                "Endpoint eq 'https%3A%2F%2Fb%2F1' and P256DH eq 'p' and Auth eq 'a'",
                ["https://b/1"]
            ),
            ("  WhatEver   eq   'x'  ", ["x"]),
        ]
    )
    func filters(_ filter: String, _ handles: [String]) async throws {
        let harness = RESTHarness()
        let uri = "/news/Registrations/?%24Filter=" + filter.replacing(" ", with: "%20")
        let reply = try await harness.send(.get, uri, token: "Listen")
        #expect(reply.status == 200, "\(reply.body)")
        guard case .handle(let asked)? = harness.hub.last(ListRegistrations.self)?.filter else {
            Issue.record("no list by handle for \(filter)")
            return
        }
        #expect(asked.map { String($0) } == handles)
    }

    @Test(
        "refuse other filters",
        arguments: [
            "", "ChannelUri", "ChannelUri eq", "ChannelUri eq ''", "ChannelUri eq 'open",
            "ChannelUri ne 'x'", "ChannelUri eq 'x' or a eq 'b'", "ChannelUri eq 'x' and",
            "ChannelUri eq 'x' and DeviceToken eq 'y'", "eq 'x'", "a eq 'x' b",
            "a eq 'b' and c eq 'd' and e eq 'f' and g eq 'h' and i eq 'j'",
        ]
    )
    func badFilters(_ filter: String) async throws {
        let harness = RESTHarness()
        let uri = "/news/registrations?$filter=" + filter.replacing(" ", with: "+")
        let reply = try await harness.send(.get, uri)
        #expect(reply.status == 400, "\(filter)")
        #expect(reply.body.contains("$filter: "), "\(reply.body)")
        #expect(harness.hub.read { $0.requests.isEmpty })
    }
}
