import Foundation
import HubModel
import HubREST
import HubVocabulary
import Testing

@Suite("The feedback container")
struct FeedbackTests {
    private static let day: UInt64 = 86_400_000

    /// A row with a cause by its number, accepted on 4 May 2026.
    private static func row(
        _ number: UInt64,
        _ time: Timestamp = FakeHub.time,
        handle: String = "AB<01>"
    ) -> DepartureRow {
        DepartureRow(
            number: number,
            time: time,
            cause: DepartureCause.allCases[Int(number - 1) % DepartureCause.allCases.count],
            platform: .apple,
            handle: Array(handle.utf8),
            registration: Array("1-\(number)-1".utf8),
            installation: number == 1 ? Array("i-1".utf8) : nil
        )
    }

    /// A hub with these rows, and the address of its container without scheme and host.
    private static func opened(
        _ rows: [DepartureRow],
        perPart: UInt64 = 1_000,
        perPage: Int = 32
    ) async throws -> (RESTHarness, String) {
        var harness = RESTHarness()
        harness.configuration.limits.feedback.departuresPerPart = perPart
        harness.configuration.limits.feedback.pageBlobsMax = perPage
        harness.hub.change { state in
            state.departures = rows
            state.departureLimits.feedback.departuresPerPart = perPart
            state.departureLimits.feedback.departuresPerAnswer = 3
            state.departureLimits.feedback.departurePartsPerAnswer = 2
        }
        let reply = try await harness.send(.get, "/News/FeedbackContainer?api-version=2020-06")
        #expect(reply.status == 200)
        let prefix = "https://localhost"
        #expect(reply.body.hasPrefix(prefix), "\(reply.body)")
        return (harness, String(reply.body.dropFirst(prefix.count)))
    }

    /// The address of a blob.
    private static func blob(_ name: String, _ address: String) -> String {
        address.replacing("feedback?", with: "feedback/\(name)?", maxReplacements: 1)
    }

    private static func names(_ list: String) -> [String] {
        list.matches(of: /<Name>(.*?)<\/Name>/).map { String($0.1) }
    }

    @Test("has its address as bare text, which holds for five days and needs no token")
    func address() async throws {
        let (harness, address) = try await Self.opened([])
        let shape =
            /\/News\/\$belfry\/feedback\?sv=2021-08-06&sr=c&sp=rl&se=2026-05-09T09%3A12%3A03Z&sig=[0-9a-f]{64}/
        #expect(address.wholeMatch(of: shape) != nil, "\(address)")
        let list = address + "&restype=container&comp=list"
        let reply = try await harness.send(.get, list, token: nil)
        #expect(reply.status == 200, "\(reply.body)")
        #expect(reply["Content-Type"] == "application/xml; charset=utf-8")
        #expect(
            reply.body
                == #"<?xml version="1.0" encoding="utf-8"?><EnumerationResults "#
                + #"ServiceEndpoint="https://localhost/News/$belfry/" ContainerName="feedback">"#
                + "<Blobs></Blobs><NextMarker></NextMarker></EnumerationResults>"
        )
        for token in ["Listen", "Send"] {
            let refused = try await harness.send(.get, "/news/feedbackcontainer", token: token)
            #expect(refused.status == 403)
        }
        #expect(try await harness.send(.get, "/news/feedbackcontainer", token: nil).status == 401)
    }

    @Test("refuses every address that it did not give, and one that has expired")
    func links() async throws {
        let (harness, address) = try await Self.opened([Self.row(1)])
        let list = "&restype=container&comp=list"
        let wrong = [
            "/news/$belfry/feedback?restype=container&comp=list",
            address.replacing("2026-05-09", with: "2026-05-10") + list,
            address.replacing("2026-05-09", with: "May") + list,
            String(address.dropLast()) + list,
            address.replacing("/News/", with: "/other/") + list,
            address.replacing(/sig=./, with: "sig=x") + list,
        ]
        for uri in wrong {
            let reply = try await harness.send(.get, uri, token: nil)
            #expect(reply.status == 403, "\(uri)")
            #expect(reply["x-ms-error-code"] == "AuthenticationFailed")
            let text =
                "<Error><Code>AuthenticationFailed</Code><Message>SubCode=40301. InvalidLink: "
            #expect(reply.body.hasPrefix(text), "\(reply.body)")
        }
        let other = try await harness.send(.get, Self.blob("x", wrong[1]), token: nil)
        #expect(other.status == 403)
        // A token is no substitute.
        #expect(try await harness.send(.get, wrong[0]).status == 403)
        harness.hub.change { $0.now = FakeHub.time.adding(seconds: 432_000) }
        let late = try await harness.send(.get, address + list, token: nil)
        #expect(late.status == 403)
        #expect(late.body.contains("ExpiredLink: The address has expired"))
    }

    @Test("holds a document on each line, members in their order, a word for each cause")
    func documents() async throws {
        let (harness, address) = try await Self.opened((1...4).map { Self.row($0) })
        let list = address + "&restype=container&comp=list"
        let names = Self.names(try await harness.send(.get, list, token: nil).body)
        #expect(names == ["05042026-0000000000"])
        let reply = try await harness.send(.get, Self.blob(names[0], address), token: nil)
        #expect(reply.status == 200)
        let head =
            #"<PnsFeedback xmlns="http://schemas.microsoft.com/netservices/2010/10/"#
            + #"servicebus/connect" xmlns:i="http://www.w3.org/2001/XMLSchema-instance">"#
            + "<FeedbackTime>2026-05-04T09:12:03.123Z</FeedbackTime><NotificationSystemError>"
        func line(_ word: String, _ number: Int, _ more: String = "") -> String {
            "\(head)\(word)</NotificationSystemError><Platform>apple</Platform>"
                + "<PnsHandle>AB&lt;01&gt;</PnsHandle><RegistrationId>1-\(number)-1</RegistrationId>"
                + "\(more)</PnsFeedback>\n"
        }
        #expect(
            reply.body
                == line("ExpiredChannel", 1, "<InstallationId>i-1</InstallationId>")
                + line("ExpiredChannel", 2) + line("InvalidToken", 3) + line("BadChannel", 4)
        )
        #expect(reply["Content-Type"] == "text/plain; charset=utf-8")
        #expect(reply["Last-Modified"] == "Mon, 04 May 2026 09:12:03 GMT")
        #expect(reply["x-ms-blob-type"] == "BlockBlob")
        #expect(reply["ETag"] == "\"0x1X4\"")
    }

    @Test("keeps each document on its line, whatever a handle has in it")
    func oneLine() async throws {
        let (harness, address) = try await Self.opened([Self.row(1, handle: "a\r\nb\u{1}")])
        let blob = Self.blob("05042026-0000000000", address)
        let reply = try await harness.send(.get, blob, token: nil)
        #expect(reply.body.split(separator: "\n").count == 1)
        #expect(reply.body.contains("<PnsHandle>a&#13;&#10;b\u{FFFD}</PnsHandle>"))
    }

    @Test("lists its blobs by name, page by page, with their sizes")
    func pages() async throws {
        // Three days, five rows a blob: 5 + 2, 3 + 4, 1 + 5.
        let rows = (1...20).map { (number: UInt64) in
            let later = number < 7 ? 0 : number < 14 ? Self.day : 2 * Self.day
            return Self.row(number, Timestamp(milliseconds: FakeHub.time.milliseconds + later))
        }
        let (harness, address) = try await Self.opened(rows, perPart: 5, perPage: 3)
        let list = address + "&restype=container&comp=list"
        var found: [String] = []
        var lines = 0
        var marker: String? = ""
        while let present = marker {
            let uri = present.isEmpty ? list : "\(list)&marker=\(present)"
            let reply = try await harness.send(.get, uri, token: nil)
            #expect(reply.status == 200)
            let page = Self.names(reply.body)
            #expect(page.count <= 3)
            let sizes = reply.body.matches(of: /<Content-Length>(\d+)</).compactMap { Int($0.1) }
            #expect(sizes.count == page.count)
            for (name, size) in zip(page, sizes) {
                let blob = try await harness.send(.get, Self.blob(name, address), token: nil)
                #expect(blob.body.utf8.count == size)
                lines += blob.body.split(separator: "\n").count
                let head = try await harness.send(.head, Self.blob(name, address), token: nil)
                #expect(head.status == 200 && head.body.isEmpty)
                #expect(head["Content-Length"] == "\(size)")
                #expect(head["ETag"] == blob["ETag"])
            }
            found += page
            let next = try #require(reply.body.firstMatch(of: /<NextMarker>(.*)<\/NextMarker>/))
            marker = next.1.isEmpty ? nil : String(next.1)
        }
        #expect(
            found == [
                "05042026-0000000000", "05042026-0000000001", "05052026-0000000001",
                "05052026-0000000002", "05062026-0000000002", "05062026-0000000003",
                "05062026-0000000004",
            ]
        )
        #expect(lines == 20)
        let some = try await harness.send(.get, list + "&prefix=0505&maxresults=1", token: nil)
        #expect(Self.names(some.body) == ["05052026-0000000001"])
        #expect(some.body.contains("<Prefix>0505</Prefix><MaxResults>1</MaxResults>"))
        #expect(some.body.contains("<NextMarker>05052026-0000000001</NextMarker>"))
    }

    @Test("gives the range of a blob that is asked for, in either header")
    func ranges() async throws {
        let (harness, address) = try await Self.opened([Self.row(1)])
        let blob = Self.blob("05042026-0000000000", address)
        let whole = try await harness.send(.get, blob, token: nil).body
        let size = whole.utf8.count
        func ask(_ range: String, _ name: String = "x-ms-range") async throws -> Reply {
            try await harness.send(.get, blob, token: nil, headers: [(name, range)])
        }
        let cases = [
            ("bytes=0-33554431", 0, size - 1), ("bytes=5-", 5, size - 1), ("bytes=5-5", 5, 5),
            ("bytes=\(size - 1)-", size - 1, size - 1),
        ]
        for (range, first, last) in cases {
            for name in ["x-ms-range", "Range"] {
                let reply = try await ask(range, name)
                #expect(reply.status == 206, "\(range)")
                #expect(reply.body == String(whole.dropFirst(first).prefix(last - first + 1)))
                #expect(reply["Content-Range"] == "bytes \(first)-\(last)/\(size)")
            }
        }
        for range in ["lines=1-2", "bytes=-5", "bytes=7-6", "bytes=1-2,4-5", "bytes=x-y"] {
            let reply = try await ask(range)
            #expect(reply.status == 200 && reply.body == whole, "\(range)")
        }
        let behind = try await ask("bytes=\(size)-")
        #expect(behind.status == 416)
        #expect(behind["Content-Range"] == "bytes */\(size)")
        #expect(behind.body.contains("Range: the blob has only \(size) bytes."))
    }

    @Test("says what is wrong with a question")
    func refusals() async throws {
        let (harness, address) = try await Self.opened([Self.row(1)])
        let wrong = [
            ("", "restype: must be 'container'."),
            ("&restype=container", "comp: must be 'list'."),
            ("&restype=container&comp=list&maxresults=0", "maxresults: must be a number"),
            ("&restype=container&comp=list&maxresults=x", "maxresults: must be a number"),
        ]
        for (query, detail) in wrong {
            let reply = try await harness.send(.get, address + query, token: nil)
            #expect(reply.status == 400 && reply.body.contains(detail), "\(query): \(reply.body)")
        }
        let names = [
            "05042026-0000000001", "05042026-0", "05032026-0000000000", "05042026", "x",
            "05042026-99999999999999999999", "05042026-18446744073709551615",
        ]
        for name in names {
            let reply = try await harness.send(.get, Self.blob(name, address), token: nil)
            #expect(reply.status == 404, "\(name)")
            #expect(reply.body.contains("The feedback container has no such blob"), "\(name)")
            #expect(reply.body.hasPrefix("<Error><Code>BlobNotFound</Code><Message>"))
        }
        harness.hub.change { $0.refusal = .throttled(retryAfterSeconds: 3) }
        let throttled = try await harness.send(
            .get,
            address + "&restype=container&comp=list",
            token: nil
        )
        #expect(throttled.status == 429)
    }

    @Test("is read by the requests of a client of blob storage, by whose rules the answers are")
    func replayed() async throws {
        // As `azure-storage-blob` 12.24.0 writes them.
        let common = [
            ("User-Agent", "azsdk-python-storage-blob/12.24.0 Python/3.11.7 (Linux)"),
            ("Accept-Encoding", "gzip, deflate"), ("Accept", "application/xml"),
            ("x-ms-version", "2025-01-05"), ("x-ms-date", "Mon, 04 May 2026 09:13:00 GMT"),
            ("x-ms-client-request-id", "06b3b47e-e639-11f1-95c0-02fc00000001"),
        ]
        let (harness, address) = try await Self.opened([Self.row(1), Self.row(2)])
        let parts = address.split(separator: "?")
        let list = try await harness.send(
            .get,
            "\(parts[0])?restype=container&comp=list&prefix=0504&maxresults=1&\(parts[1])",
            token: nil,
            headers: common
        )
        #expect(list.status == 200)
        // It reads dates by this form alone, and sizes as numbers.
        let shape =
            /<Blob><Name>(.*?)<\/Name><Properties><Last-Modified>\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT<\/Last-Modified><Etag>0x\w+<\/Etag><Content-Length>(\d+)</
        let blob = try #require(list.body.firstMatch(of: shape), "\(list.body)")
        for path in [parts[0], Substring(parts[0].replacing("$", with: "%24"))] {
            let reply = try await harness.send(
                .get,
                "\(path)/\(blob.1)?\(parts[1])",
                token: nil,
                headers: common + [("x-ms-range", "bytes=0-33554431")]
            )
            // Without the whole size in this header it gives up.
            #expect(reply.status == 206)
            #expect(reply["Content-Range"] == "bytes 0-\((Int(blob.2) ?? 0) - 1)/\(blob.2)")
            #expect(reply.body.utf8.count == Int(blob.2))
        }
    }
}
