import Foundation
import HubClient
import HubServer
import HubTestSupport
import HubVocabulary
import NIOHTTP1
import Testing

@testable import ScenarioSupport

/// Bulk jobs as a client asks for them.
struct JobClient {
    static let connect = "http://schemas.microsoft.com/netservices/2010/10/servicebus/connect"

    let connection: ConnectionFile
    let caller: RESTCaller

    init(_ connection: ConnectionFile) throws {
        self.connection = connection
        caller = try RESTCaller(connection)
    }

    func ask(
        _ method: HTTPMethod,
        _ path: String,
        headers: [String: String] = [:],
        body: String? = nil
    ) async throws -> RESTCaller.Answer {
        try await caller.perform(
            method,
            "\(connection.hub)/\(path)",
            headers: headers,
            body: body,
            authorization: caller.token(connection.connectionStrings.full)
        )
    }

    /// As the JavaScript and .NET SDKs write a job.
    static func plain(_ type: String, _ output: String, _ input: String? = nil) -> String {
        let file = input.map { "<ImportFileUri>\($0)</ImportFileUri>" } ?? ""
        return "<?xml version=\"1.0\" encoding=\"utf-8\"?><entry "
            + "xmlns=\"http://www.w3.org/2005/Atom\"><content type=\"application/xml\">"
            + "<NotificationHubJob xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\" "
            + "xmlns=\"\(connect)\"><Type>\(type)</Type><OutputContainerUri>\(output)"
            + "</OutputContainerUri>\(file)</NotificationHubJob></content></entry>"
    }

    /// As the Java SDK writes one.
    static func java(_ type: String, _ output: String, _ input: String) -> String {
        "<?xml version=\"1.0\" encoding=\"utf-8\"?><entry xmlns=\"http://www.w3.org/2005/Atom\">"
            + "<content type=\"application/atom+xml;type=entry;charset=utf-8\">"
            + "<NotificationHubJob xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\" "
            + "xmlns=\"\(connect)\"><Type>\(type)</Type><OutputContainerUri><![CDATA[\(output)]]>"
            + "</OutputContainerUri><ImportFileUri><![CDATA[\(input)]]></ImportFileUri>"
            + "</NotificationHubJob></content></entry>"
    }

    /// Begins a job; its id.
    func begin(_ body: String) async throws -> String {
        let answer = try await ask(.POST, "jobs", body: body)
        #expect(answer.status == 201, "\(answer.text)")
        let location = try #require(answer.headers["location"])
        let id = try #require(location.split(separator: "?").first?.split(separator: "/").last)
        #expect(answer.text.contains("<JobId>\(id)</JobId>"))
        #expect(!answer.text.contains("<Progress>"))
        return String(id)
    }

    /// Asks until a job is as wanted.
    func wait(
        for id: String,
        _ isMet: (String) -> Bool
    ) async throws -> String {
        var text = ""
        return try await eventually("the wanted job: \(text)") {
            let answer = try await ask(.GET, "jobs/\(id)")
            #expect(answer.status == 200, "\(answer.text)")
            text = answer.text
            return isMet(text) ? text : nil
        }
    }

    /// Asks until a job has ended.
    func end(of id: String) async throws -> String {
        try await wait(for: id) { text in
            text.contains("<Status>Completed</Status>") || text.contains("<Status>Failed</Status>")
        }
    }

    func registrationCount(tag: String) async throws -> Int {
        let answer = try await ask(.GET, "tags/\(tag)/registrations")
        return answer.text.components(separatedBy: "<entry ").count - 1
    }

    func close() async { await caller.close() }
}

/// A line of an import file, as the Java SDK's documentation shows it.
private func line(_ token: String, tags: String, id: String? = nil, etag: String? = nil) -> String {
    let name = id.map { "<RegistrationId>\($0)</RegistrationId>" } ?? ""
    let version = etag.map { "<ETag>\($0)</ETag>" } ?? ""
    return "<AppleRegistrationDescription xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\" "
        + "xmlns=\"\(JobClient.connect)\">\(version)\(name)<Tags>\(tags)</Tags>"
        + "<DeviceToken>\(token)</DeviceToken></AppleRegistrationDescription>"
}

@Suite("A bulk job", .timeLimit(.minutes(3)))
struct BulkJobTests {
    private static func folder(_ hub: RunningHub) throws -> URL {
        let folder = URL(fileURLWithPath: hub.folder.path)
            .appendingPathComponent("hubs/\(hub.connection.hub)/jobs")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    private static func results(_ folder: URL, _ hub: RunningHub, _ id: String) throws -> (
        output: [String], failed: [String]
    ) {
        func lines(_ name: String) throws -> [String] {
            let file = folder.appendingPathComponent("belfry/\(hub.connection.hub)/\(id)/\(name)")
            return try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
                .map(String.init)
        }
        return (try lines("Output.txt"), try lines("Failed.txt"))
    }

    /// Eight lines, one of them empty and four of them wrong.
    private static var importFile: String {
        let dotNet =
            "<RegistrationDescription xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\" "
            + "i:type=\"AppleTemplateRegistrationDescription\" xmlns=\"\(JobClient.connect)\">"
            + "<Tags>Bulk</Tags><DeviceToken>0B</DeviceToken><BodyTemplate><![CDATA[{\"aps\":"
            + "{\"alert\":\"$(m)\"}}]]></BodyTemplate></RegistrationDescription>"
        let lines = [
            line("0A", tags: "Bulk"), dotNet, "", "no XML at all", line("xyz", tags: "Bulk"),
            line("0C", tags: "bad tag!"), String(repeating: "x", count: 70_000),
            line("0D", tags: "Bulk,username:mara"),
        ]
        return "\u{FEFF}" + lines.joined(separator: "\r\n")
    }

    @Test("reads lines and inputs up to their limits, and not a byte more")
    func limits() async throws {
        let fits = line("0A", tags: "Bulk")
        let input = fits + "\n" + fits + " "
        try await HostedHub.run { options in
            options.coreLimits.jobs.jobLineBytesMax = fits.utf8.count
            options.coreLimits.jobs.jobInputBytesMax = UInt64(input.utf8.count)
        } _: { hub in
            let client = try JobClient(hub.connection)
            let folder = URL(fileURLWithPath: hub.folder.path)
                .appendingPathComponent("hubs/\(hub.connection.hub)/jobs")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for (name, text) in [("in.txt", input), ("long.txt", input + "x")] {
                try Data(text.utf8).write(to: folder.appendingPathComponent(name))
            }
            let id = try await client.begin(
                JobClient.plain("ImportCreateRegistrations", "file:///", "file:///in.txt")
            )
            let ended = try await client.end(of: id)
            #expect(ended.contains("<Status>Completed</Status>"), "\(ended)")
            #expect(try await client.registrationCount(tag: "Bulk") == 1)
            let results = folder.appendingPathComponent("belfry/\(hub.connection.hub)/\(id)")
            let failed = try String(
                contentsOf: results.appendingPathComponent("Failed.txt"),
                encoding: .utf8
            )
            #expect(failed.contains("line 2: ") && failed.contains("\(fits.utf8.count) bytes"))
            let over = try await client.begin(
                JobClient.plain("ImportCreateRegistrations", "file:///", "file:///long.txt")
            )
            let refused = try await client.end(of: over)
            #expect(refused.contains("<Status>Failed</Status>"), "\(refused)")
            #expect(refused.contains("\(input.utf8.count) bytes"), "\(refused)")
            await client.close()
        }
    }

    @Test("imports lines of both spellings, tells the bad ones, exports, updates and deletes")
    func everyKind() async throws {
        var hub = try await RunningHub.startRestartable()
        var client = try JobClient(hub.connection)
        let folder = try Self.folder(hub)
        try Data(Self.importFile.utf8).write(to: folder.appendingPathComponent("in.txt"))
        let id = try await client.begin(
            JobClient.java("ImportCreateRegistrations", "file:///out", "file:///in.txt")
        )
        let ended = try await client.end(of: id)
        #expect(ended.contains("<Status>Completed</Status>"), "\(ended)")
        #expect(ended.contains("<Progress>100.0</Progress>"))
        let key = "<d3p1:KeyValueOfstringstring><d3p1:Key>OutputFilePath</d3p1:Key><d3p1:Value>"
        #expect(ended.contains("\(key)belfry//\(hub.connection.hub)/\(id)/Output.txt</d3p1:Value>"))
        let made = try Self.results(folder.appendingPathComponent("out"), hub, id)
        #expect(made.output.count == 3, "\(made.output)")
        #expect(made.failed.count == 4, "\(made.failed)")
        for (number, part) in [(4, "Body"), (5, "DeviceToken"), (6, "Tags"), (7, "Line")] {
            let found = made.failed.first { $0.hasPrefix("line \(number): ") }
            #expect(found?.contains(part) == true, "\(made.failed)")
        }
        #expect(made.failed.contains { $0.hasSuffix("\tno XML at all") })
        #expect(try await client.registrationCount(tag: "Bulk") == 3)
        // What was written can be read again: new tags for all, then all of them away.
        let changed = made.output.map { $0.replacing("<Tags>Bulk", with: "<Tags>Moved") }
        let stale = changed[0].replacing("<ETag>1<", with: "<ETag>7<")
        let update = ([stale] + changed).joined(separator: "\n")
        try Data(update.utf8).write(to: folder.appendingPathComponent("update.txt"))
        let updating = try await client.begin(
            JobClient.plain("ImportUpdateRegistrations", "file:///", "file:///update.txt")
        )
        _ = try await client.end(of: updating)
        let updated = try Self.results(folder, hub, updating)
        #expect(updated.output.count == 3 && updated.failed.count == 1, "\(updated)")
        #expect(try await client.registrationCount(tag: "Moved") == 3)
        try await hub.kill()
        hub = try await hub.startedAgain()
        await client.close()
        client = try JobClient(hub.connection)
        let again = try await client.ask(.GET, "jobs/\(id)")
        #expect(again.text.contains("<Status>Completed</Status>"), "\(again.text)")
        let exporting = try await client.begin(
            JobClient.plain("ExportRegistrations", "file:///out")
        )
        _ = try await client.end(of: exporting)
        let exported = try Self.results(folder.appendingPathComponent("out"), hub, exporting)
        #expect(exported.output == updated.output && exported.failed.isEmpty)
        let source = "file:///out/belfry/\(hub.connection.hub)/\(exporting)/Output.txt"
        let deleting = try await client.begin(
            JobClient.java("ImportDeleteRegistrations", "file:///out", source)
        )
        _ = try await client.end(of: deleting)
        #expect(try await client.registrationCount(tag: "Moved") == 0)
        let feed = try await client.ask(.GET, "jobs/").text
        #expect(feed.contains("<title type=\"text\">jobs</title>"))
        let order = [deleting, exporting, updating, id].map { feed.firstRange(of: "<JobId>\($0)<") }
        let places = try order.map { try #require($0).lowerBound }
        #expect(places == places.sorted(), "newest first")
        await client.close()
        #expect(try await hub.terminate() == 0)
    }

    @Test("reads and writes only where the operator allows, and follows no redirect")
    func places() async throws {
        let files = try await FileServer()
        let hub = try await RunningHub.start(["--jobs-url", files.address + "/bulk"])
        let client = try JobClient(hub.connection)
        files.set(.file(line("0A", tags: "Web")), at: "/bulk/in.txt?sig=a%2Bb")
        files.set(.redirect(to: "\(files.address)/secret"), at: "/bulk/away.txt")
        let container = "\(files.address)/bulk/out?sig=s"
        let importing = try await client.begin(
            JobClient.java(
                "ImportUpsertRegistrations",
                container,
                "\(files.address)/bulk/in.txt?sig=a%2Bb"
            )
        )
        let ended = try await client.end(of: importing)
        #expect(ended.contains("<Status>Completed</Status>"), "\(ended)")
        let puts = files.visits.events.filter { $0.method == "PUT" }
        let below = "/bulk/out/belfry//\(hub.connection.hub)/\(importing)"
        #expect(puts.map(\.uri) == ["\(below)/Output.txt?sig=s", "\(below)/Failed.txt?sig=s"])
        #expect(puts.allSatisfy { $0.headers["x-ms-blob-type"] == "BlockBlob" })
        #expect(puts.first?.headers["content-length"] == "\(puts.first?.body.utf8.count ?? 0)")
        #expect(puts.first?.body.contains("<DeviceToken>0A</DeviceToken>") == true)
        let moved = try await client.begin(
            JobClient.plain(
                "ImportCreateRegistrations",
                "file:///",
                "\(files.address)/bulk/away.txt"
            )
        )
        let refused = try await client.end(of: moved)
        #expect(refused.contains("<Status>Failed</Status>"), "\(refused)")
        #expect(refused.contains("answered 302"))
        #expect(!files.visits.events.contains { $0.uri == "/secret" })
        let before = files.visits.events.count
        for place in [
            "\(files.address)/bulkier/in.txt", "\(files.address)/bulk/../in.txt",
            "\(files.address)/bulk/%2e%2e/in.txt", "\(files.address)/bulk/..%2fin.txt",
            "http://user@127.0.0.1/bulk/in.txt", "http://169.254.169.254/latest",
            "ftp://127.0.0.1/bulk/in.txt", "file:///../keys.json", "file:///%2e%2e/keys.json",
            "file:///a/..%2f..%2fkeys.json", "file://host/in.txt", "file:///.work/x",
            "/etc/passwd", "file:///", "file:///in.txt#x", "file:///a%00b",
        ] {
            let body = JobClient.java("ImportCreateRegistrations", "file:///out", place)
            let answer = try await client.ask(.POST, "jobs", body: body)
            #expect(answer.status == 400, "\(place): \(answer.text)")
            #expect(answer.text.contains("ImportFileUri"), "\(answer.text)")
        }
        let outside = JobClient.plain("ExportRegistrations", "http://127.0.0.1:1/")
        #expect(try await client.ask(.POST, "jobs", body: outside).status == 400)
        #expect(files.visits.events.count == before)
        await client.close()
        #expect(try await hub.terminate() == 0)
        try await files.close()
    }

    @Test("reads no file through a link, and no folder")
    func links() async throws {
        let hub = try await RunningHub.start()
        let client = try JobClient(hub.connection)
        let folder = try Self.folder(hub)
        let manager = FileManager.default
        for (name, target) in [("keys", "../keys.json"), ("up", "..")] {
            try manager.createSymbolicLink(
                atPath: folder.appendingPathComponent(name).path,
                withDestinationPath: target
            )
        }
        try manager.createDirectory(
            at: folder.appendingPathComponent("sub"),
            withIntermediateDirectories: true
        )
        for name in ["keys", "up/keys.json", "sub", "missing"] {
            let id = try await client.begin(
                JobClient.plain("ImportCreateRegistrations", "file:///", "file:///\(name)")
            )
            let ended = try await client.end(of: id)
            #expect(ended.contains("<Status>Failed</Status>"), "\(name): \(ended)")
            #expect(ended.contains("<Failure>"))
        }
        let id = try await client.begin(JobClient.plain("ExportRegistrations", "file:///up"))
        #expect(try await client.end(of: id).contains("<Status>Failed</Status>"))
        await client.close()
        #expect(try await hub.terminate() == 0)
    }

    @Test(
        "that a crash interrupted: an import has failed and says how far it was, an export is redone"
    )
    func interrupted() async throws {
        let files = try await FileServer(answersPuts: false)
        let some = (0..<200).map { line(String(format: "%04X", $0), tags: "Half") }
        files.set(.beginning(some.joined(separator: "\n") + "\n"), at: "/in.txt")
        var hub = try await RunningHub.startRestartable(["--jobs-url", files.address])
        var client = try JobClient(hub.connection)
        let importing = try await client.begin(
            JobClient.plain("ImportCreateRegistrations", "file:///", files.address + "/in.txt")
        )
        let waiting = try await client.begin(
            JobClient.plain("ExportRegistrations", files.address + "/out")
        )
        let running = try await client.wait(for: importing) {
            $0.contains("<Status>Running</Status>")
        }
        #expect(!running.contains("OutputProperties"))
        try await eventually("half of the import") {
            try await client.registrationCount(tag: "Half") >= 100
        }
        try await hub.kill()
        hub = try await hub.startedAgain()
        await client.close()
        client = try JobClient(hub.connection)
        let failed = try await client.end(of: importing)
        #expect(failed.contains("<Status>Failed</Status>"), "\(failed)")
        #expect(failed.contains("The hub was restarted"))
        // The one behind it has begun, and is interrupted too.
        try await files.visits.wait(for: "the first PUT") { $0.contains { $0.method == "PUT" } }
        let count = files.visits.events.count
        try await hub.kill()
        files.answerPuts()
        hub = try await hub.startedAgain()
        await client.close()
        client = try JobClient(hub.connection)
        let exported = try await client.end(of: waiting)
        #expect(exported.contains("<Status>Completed</Status>"), "\(exported)")
        let again = files.visits.events[count...]
        let output = try #require(again.first { $0.uri.hasSuffix("/Output.txt") })
        let lines = output.body.split(separator: "\n")
        #expect((100...200).contains(lines.count) && Set(lines).count == lines.count, "none twice")
        await client.close()
        #expect(try await hub.terminate() == 0)
        try await files.close()
    }
}
