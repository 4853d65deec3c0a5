import NIOHTTP1
import Testing

@testable import ScenarioSupport

@Suite("A bulk job's input properties", .timeLimit(.minutes(3)))
struct JobPropertyTests {
    /// `InputProperties` with this content, in a job that exports.
    private static func export(_ properties: String) -> String {
        let arrays = "http://schemas.microsoft.com/2003/10/Serialization/Arrays"
        let map = "<InputProperties xmlns:d3p1=\"\(arrays)\">\(properties)</InputProperties>"
        return JobClient.plain("ExportRegistrations", "file:///out").replacing(
            "</OutputContainerUri>",
            with: "</OutputContainerUri>\(map)"
        )
    }

    private static func property(_ key: String, _ value: String) -> String {
        "<d3p1:KeyValueOfstringstring><d3p1:Key>\(key)</d3p1:Key><d3p1:Value>\(value)"
            + "</d3p1:Value></d3p1:KeyValueOfstringstring>"
    }

    @Test("come back with the job, also after a restart; what is no map is refused")
    func properties() async throws {
        var hub = try await RunningHub.startRestartable()
        var client = try JobClient(hub.connection)
        let given = Self.property("Source", "a &amp; b") + Self.property("Run", "7")
        let id = try await client.begin(Self.export(given))
        for isAgain in [false, true] {
            let ended = try await client.end(of: id)
            let place = try #require(ended.firstRange(of: "<InputProperties "))
            #expect(ended[place.upperBound...].contains("\">\(given)</InputProperties><Output"))
            guard !isAgain else { break }
            await client.close()
            #expect(try await hub.terminate() == 0)
            hub = try await hub.startedAgain()
            client = try JobClient(hub.connection)
        }
        let most = (0..<16).map { Self.property("k\($0)", String(repeating: "v", count: 1_024)) }
        _ = try await client.begin(Self.export(most.joined()))
        let refusals = [
            (most.joined() + Self.property("k16", "v"), "InputProperties: at most 16"),
            (Self.property("k", String(repeating: "v", count: 1_025)), "1025 bytes exceed"),
            (Self.property("k", "v") + Self.property("k", "w"), "InputProperties: has the key 'k'"),
            (Self.property("", "v"), "InputProperties: must hold KeyValueOfstringstring"),
            ("<d3p1:Pair/>", "InputProperties: must hold KeyValueOfstringstring"),
            ("text", "InputProperties: is text"),
        ]
        for (properties, detail) in refusals {
            let answer = try await client.ask(.POST, "jobs", body: Self.export(properties))
            #expect([400, 413].contains(answer.status), "\(answer.text)")
            #expect(answer.text.contains(detail), "\(answer.text)")
        }
        await client.close()
        #expect(try await hub.terminate() == 0)
    }
}
