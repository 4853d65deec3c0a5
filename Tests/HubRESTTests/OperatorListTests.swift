import HubModel
import HubQuestions
import HubREST
import HubRules
import HubTags
import HubVocabulary
import Synchronization
import Testing

@Suite("Lists for operators")
struct OperatorListTests {
    private struct Client {
        let hub: CoreHub

        func ask(_ method: Verb, _ path: String, _ body: String? = nil) async throws -> Reply {
            try await HubRESTTests.ask(
                hub,
                method,
                path,
                token: CoreHub.token("https://hub.example.net/news"),
                bytes: body.map { Array($0.utf8) }
            )
        }
    }

    @Test("show notifications without their payloads, page by page")
    func notifications() async throws {
        let harness = RESTHarness()
        let record = NotificationRecord(
            sequence: 2,
            id: FakeHub.sent,
            draft: NotificationDraft(
                format: .template,
                target: .tags(try TagExpression(parsing: Array("World && !Sports".utf8))),
                body: Array(#"{"secret":1}"#.utf8),
                timeToLive: .seconds(60)
            )
        )
        var counts = CounterTable()
        for (platform, kind) in [
            (Platform.apple, TelemetryKind.sent), (.gcm, .sent), (.gcm, .acknowledged),
            (.apple, .expired),
        ] {
            counts.add(CounterDelta(sequence: 2, platform: platform, kind: kind, count: 3))
        }
        let entry = ListNotifications.Entry(record: record, counts: counts, isFannedOut: true)
        harness.hub.change { $0.reply = ListPage([entry], next: UInt64(2)) }
        let first = try await harness.send(.get, "/news/$belfry/notifications?$top=1")
        #expect(first.status == 200)
        #expect(
            first.body.hasPrefix(
                #"{"continuationToken":"0000000000000002","notifications":[{"accepted":""#
            ),
            "\(first.body)"
        )
        #expect(first.body.contains(#","acknowledged":3,"bytes":12,"dropped":3,"expires":""#))
        #expect(
            first.body.hasSuffix(
                #""matchedConnected":0,"place":2,"receivers":"tags","sent":6,"state":"fannedOut","#
                    + #""tags":"World && !Sports"}]}"#
            ),
            "\(first.body)"
        )
        #expect(!first.body.contains("secret"))
        harness.hub.change { $0.reply = ListPage<ListNotifications.Entry, UInt64>([], next: nil) }
        let path = "/news/$belfry/notifications?continuationtoken=0000000000000002"
        #expect(try await harness.send(.get, path).body == #"{"notifications":[]}"#)
        #expect(harness.hub.last(ListNotifications.self)?.before == 2)
    }

    @Test(
        "refuse what they cannot answer",
        arguments: [
            ("notifications?continuationtoken=xyz", "ContinuationToken"),
            ("notifications?since=nine", "since: is no time"),
            ("notifications?since=2026-05-04T09:00:00Z&until=2026-05-04T09:00:00Z", "until: must"),
            ("notifications?format=pager", "format: is no format"),
            ("notifications?outcome=lost", "outcome: must be one of acknowledged, "),
            ("notifications?$skip=5", "$skip"), ("devices?prefix=xyz", "prefix: must be hex"),
            ("devices?state=dead", "state: is neither"), ("devices?sort=name", "sort: can only"),
            ("devices?sort=behind&continuationtoken=00000001", "does not go with 'sort'"),
            ("devices?user=a&tag=b", "user: cannot be"), ("devices/12", "device: is no id"),
        ]
    )
    func refusals(path: String, detail: String) async throws {
        let reply = try await Client(hub: try CoreHub()).ask(.get, "/news/$belfry/\(path)")
        #expect(reply.status == 400)
        #expect(reply.body.contains(detail), "\(reply.body)")
    }

    @Test("end a page of devices when too few fit, and say where the next one begins")
    func shortPage() async throws {
        let harness = RESTHarness()
        // A hub that never comes to an end.
        harness.hub.change { $0.reply = InspectedPart<[ListedDevice]>([], next: 7) }
        let page = try await harness.send(.get, "/news/$belfry/devices?state=connected")
        #expect(page.body == #"{"continuationToken":"00000007","devices":[]}"#)
    }

    @Test("show an empty page where there is nothing, and 404 for an unknown device")
    func nothing() async throws {
        let client = Client(hub: try CoreHub())
        let devices = try await client.ask(.get, "/news/$belfry/devices?sort=behind")
        #expect(devices.body == #"{"devices":[]}"#)
        let id = String(repeating: "0a", count: 16)
        #expect(try await client.ask(.get, "/news/$belfry/devices/\(id)").status == 404)
    }

    @Test(
        "tell an order to give up that it was taken, that the store refuses, or that no relay runs",
        arguments: [
            ("apple", 200, #""unread":7"#), ("windows", 503, "The store is unavailable"),
            ("gcm", 400, "has no relay that runs"),
        ]
    )
    func skip(platform: String, status: Int, text: String) async throws {
        let path = "/news/$belfry/relays/\(platform)/skip?through=7"
        let reply = try await RESTHarness().send(.post, path)
        #expect(reply.status == status && reply.body.contains(text), "\(reply.body)")
    }

    @Test("show the ages of keys and no key, and make one key anew")
    func keys() async throws {
        let harness = RESTHarness()
        let before = try await harness.send(.get, "/news/$belfry/keys")
        #expect(before.status == 200 && !before.body.contains("key-"), "\(before.body)")
        let made = #""primaryMade":"2026-05-04T09:12:03.123Z","rights":["Send"],"#
        #expect(before.body.contains(made), "\(before.body)")
        let path = "/news/$belfry/keys?rule=\(AccessRule.sendName)&key=PRIMARY"
        let new = try await harness.send(.post, path)
        let expected = #"{"key":"primary","rule":"\#(AccessRule.sendName)","value":"key-7"}"#
        #expect(new.status == 200 && new.body == expected, "\(new.body)")
        #expect(new["Cache-Control"] == "no-store")
        let after = try await harness.send(.get, "/news/$belfry/keys")
        let renewed =
            #""primaryMade":"2026-05-04T09:13:03.123Z","rights":["Send"],"#
            + #""secondaryMade":"2026-05-04T09:12:03.123Z"}"#
        #expect(after.body.contains(renewed), "\(after.body)")
        for (query, detail) in [
            ("rule=Nobody&key=primary", "rule: is no access rule"), ("rule=x", "key: is neither"),
        ] {
            let reply = try await harness.send(.post, "/news/$belfry/keys?\(query)")
            #expect(reply.status == 400 && reply.body.contains(detail), "\(reply.body)")
        }
    }

    @Test("show the keys that open every hub as those of one, and make one of them anew")
    func keysOfAll() async throws {
        let harness = RESTHarness()
        let list = try await harness.send(.get, "/$belfry/keys")
        #expect(list.body.contains(#""name":"RootManageSharedAccessKey""#), "\(list.body)")
        #expect(list.status == 200 && !list.body.contains("key-0"))
        let path = "/$belfry/keys?rule=\(AccessRule.rootName)&key="
        let new = try await harness.send(.post, path + "secondary")
        let expected = #"{"key":"secondary","rule":"RootManageSharedAccessKey","value":"key-new"}"#
        #expect(new.status == 200 && new.body == expected, "\(new.body)")
        #expect(new["Cache-Control"] == "no-store")
        for (query, detail) in [
            ("rule=Nobody&key=primary", "rule: is no access rule of the namespace"),
            ("rule=x", "key: is neither"),
        ] {
            let reply = try await harness.send(.post, "/$belfry/keys?\(query)")
            #expect(reply.status == 400 && reply.body.contains(detail), "\(reply.body)")
        }
    }

    @Test("are told of each change by an administrator before its answer, and of nothing else")
    func administration() async throws {
        var harness = RESTHarness()
        let events = Mutex<[RESTEvent]>([])
        harness.configuration.onAdministration = { event in events.withLock { $0.append(event) } }
        let handle = String(repeating: "AB", count: 32)
        harness.hub.change { $0.reply = HubSettings(.standard) }
        _ = try await harness.send(.post, "/news/$belfry/purge?api-version=1&through=4")
        harness.hub.change { $0.reply = nil }
        let key = "/news/$belfry/keys?rule=\(AccessRule.sendName)&key=primary"
        _ = try await harness.send(.post, key)
        _ = try await harness.send(.get, "/news/$belfry/keys")
        _ = try await harness.send(.post, "/news/$belfry/revoke?device=\(handle)")
        _ = try await harness.send(.post, "/news/$belfry/purge?through=x")
        let told = events.withLock { $0 }
        #expect(told.map(\.subject) == ["/news/$belfry/purge?through=4", key])
        #expect(told.map { $0.hub?.description } == ["news", "news"])
        let entries = told.compactMap { AuditEntry($0, number: 7, now: FakeHub.time) }
        #expect(entries.map(\.operation) == ["purge", "renewKey"])
        // A change that may be in force without an answer has a line that says no more.
        let unanswered = "/$belfry/keys?rule=Unanswered&key=primary"
        #expect(try await harness.send(.post, unanswered).status == 503)
        let last = try #require(events.withLock { $0.last })
        let line = AuditEntry(last, number: 8, now: FakeHub.time)
        #expect(line?.operation == "renewNamespaceKey" && line?.result == "begun")
        let page = try await harness.send(.get, "/$belfry/audit")
        #expect(page.body == #"{"continuationToken":"0000000000000002","entries":[]}"#)
        let since = "/$belfry/audit?since=\(TimeText.iso8601(FakeHub.time))"
        #expect(try await harness.send(.get, since).body == #"{"entries":[]}"#)
        for (query, detail) in [
            ("since=nine", "since: is no time"),
            ("since=2026-05-04T09:00:00Z&until=2026-05-04T09:00:00Z", "until: must be later"),
        ] {
            let wrong = try await harness.send(.get, "/$belfry/audit?\(query)")
            #expect(wrong.status == 400 && wrong.body.contains(detail), "\(wrong.body)")
        }
        let broken = "/$belfry/audit?continuationtoken=0000000000000001"
        #expect(try await harness.send(.get, broken).status == 503)
    }

    @Test(
        "show of the address of a change no push handle, and no more than a line holds",
        arguments: [
            ("purge?through=4&api-version=2020-06", "purge?through=4"),
            (
                "revoke?device=\(Self.handle)&API-Version=1&reason=left",
                "revoke?device=ABABABAB…&reason=left"
            ),
            ("revoke?device=\(Self.handle.dropLast())", "revoke?device=\(Self.handle.dropLast())"),
            ("revoke?device=a=\(Self.handle)", "revoke?device=a=ABABAB…"),
            ("revoke?\(Self.handle)&&x=", "revoke?ABABABAB…&x"),
            (
                "purge?" + String(repeating: "a=b&", count: 200),
                "purge?" + String(repeating: "a=b&", count: 123) + "…"
            ),
        ]
    )
    func shownAddress(asked: String, shown: String) async throws {
        var harness = RESTHarness()
        let events = Mutex<[RESTEvent]>([])
        harness.configuration.onAnswer = { event in events.withLock { $0.append(event) } }
        _ = try await harness.send(.post, "/news/$belfry/\(asked)")
        let prefix = "/news/$belfry/"
        #expect(events.withLock { $0.map(\.subject) } == [prefix + shown])
    }

    private static let handle = String(repeating: "AB", count: 32)

    @Test("show events behind a number, what is lost, and only those of a kind")
    func events() async throws {
        let harness = RESTHarness()
        let time = "2026-05-04T09:12:03.123Z"
        let all = try await harness.send(.get, "/news/$belfry/events?after=0&wait=0")
        #expect(
            all.body == #"{"events":[{"format":"apple","id":"\#(FakeHub.sent.text)","#
                + #""kind":"accepted","number":2,"receivers":"tags","tags":"World","#
                + #""time":"\#(time)"},{"code":40001,"kind":"refused","number":3,"#
                + #""operation":"send","status":400,"time":"\#(time)","tracking":"t"},"#
                + #"{"kind":"changed","number":4,"operation":"purge","rule":"r","#
                + #""time":"\#(time)","tracking":"u"}],"last":4,"lost":1}"#,
            "\(all.body)"
        )
        let some = try await harness.send(.get, "/news/$belfry/events?after=3&kinds=refused,told")
        #expect(some.body == #"{"events":[],"last":4,"lost":0}"#)
        let then = try await harness.send(
            .get,
            "/news/$belfry/events?since=2026-05-04T09:12:00Z&until=2026-05-04T09:12:04Z&kinds=refused"
        )
        #expect(then.body.contains(#""number":3"#) && then.body.contains(#""last":4,"lost":1"#))
        let later = try await harness.send(.get, "/news/$belfry/events?since=2026-05-04T09:13:00Z")
        #expect(later.body == #"{"events":[],"last":4,"lost":0}"#, "\(later.body)")
        for (query, detail) in [
            ("since=noon", "since: is no time"),
            ("since=2026-05-04T09:13:00Z&until=2026-05-04T09:12:00Z", "until: must be later"),
            ("after=x", "after: "), ("wait=21", "wait: must be a number from 0 to 20"),
            ("kinds=refused,all", "kinds: 'all' is"),
        ] {
            let reply = try await harness.send(.get, "/news/$belfry/events?\(query)")
            #expect(reply.status == 400 && reply.body.contains(detail), "\(reply.body)")
        }
    }

    @Test("ask for notifications of a time, tag, format and outcome, in a bounded number of parts")
    func filtered() async throws {
        let harness = RESTHarness()
        harness.hub.change {
            $0.reply = ListPage<ListNotifications.Entry, UInt64>([], next: UInt64(9))
        }
        let query =
            "since=2026-05-04T09:00:00Z&until=2026-05-04T10:00:00Z&tag=World&format=apple"
            + "&outcome=Dropped"
        let reply = try await harness.send(.get, "/news/$belfry/notifications?\(query)")
        #expect(reply.body == #"{"continuationToken":"0000000000000009","notifications":[]}"#)
        let filter = try #require(harness.hub.last(ListNotifications.self)?.filter)
        #expect(filter.span.since == Timestamp(milliseconds: 1_777_885_200_000))
        #expect(filter.span.until == Timestamp(milliseconds: 1_777_888_800_000))
        #expect(filter.tag == Array("World".utf8) && filter.format == .native(.apple))
        #expect(filter.outcome == .dropped)
        let asked = harness.hub.read { $0.requests.count }
        #expect(asked == InspectionLimits.listedPartsMax)
    }

    @Test("show how far a test send came at each device, and nothing of other notifications")
    func tests() async throws {
        let harness = RESTHarness()
        let path = "/news/$belfry/tests/"
        let found = try await harness.send(.get, path + FakeHub.sent.text)
        #expect(
            found.body == #"{"devices":[{"device":"000000000000000a0000000000000001","#
                + #""sent":0.25},{"acknowledged":2,"device":"000000000000000a0000000000000002","#
                + #""sent":0.5}]}"#,
            "\(found.body)"
        )
        let other = String(repeating: "0a", count: 16)
        #expect(try await harness.send(.get, path + other).status == 404)
        #expect(try await harness.send(.get, path + "12").status == 400)
    }

    @Test("show numbers of the past with holes, of some series")
    func history() async throws {
        let harness = RESTHarness()
        let path = "/$belfry/history?since=2026-05-04T09:11:53Z"
        let some = try await harness.send(.get, path + "&series=live&hub=news")
        #expect(
            some.body == #"{"first":"2026-05-04T09:11:50.000Z","series":{"live":[2,null,3]},"#
                + #""stepSeconds":5}"#
        )
        let day = try await harness.send(.get, path + "&step=60")
        #expect(day.body.contains(#""problems":[0,1]},"stepSeconds":60"#), "\(day.body)")
        for (query, status) in [("step=7", 400), ("since=then", 400), ("hub=none", 404)] {
            let reply = try await harness.send(.get, "/$belfry/history?\(query)")
            #expect(reply.status == status, "\(reply.body)")
        }
    }

    @Test("show hubs with numbers, and the server with the origin of its settings")
    func server() async throws {
        let harness = RESTHarness()
        let hubs = try await harness.send(.get, "/$belfry/hubs")
        #expect(hubs.body.contains(#""name":"news","numbers":{"connected":2,"#), "\(hubs.body)")
        let server = try await harness.send(.get, "/$belfry/server")
        #expect(
            server.body
                == #"{"now":"2026-05-04T09:12:03.123Z","problems":[],"settings":[{"name":"rest.port","origin":"file","#
                + #""value":"8443"}],"started":"2026-05-04T09:11:03.123Z","uptimeSeconds":60,"#
                + #""version":"1.2.3"}"#
        )
    }
}
