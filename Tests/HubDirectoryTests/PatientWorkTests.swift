import HubDirectory
@testable import HubHarness
import HubMemory
import HubModel
import HubRules
import HubVocabulary
import Testing

@Suite("Installations that stand for much")
struct PatientWorkTests {
    /// An installation of as many registrations as one may have, each with all push variables.
    static func large(_ id: String, variableBytes: Int, templates: Int = 31) -> String {
        let variables = (0..<32).map { number in
            "\"v\(number)\": \"\(String(repeating: "x", count: variableBytes))\""
        }
        let all = (0..<templates).map { number in
            "\"t\(number)\": {\"body\": \"<toast>$(v\(number))</toast>\", "
                + "\"headers\": {\"X-WNS-Type\": \"wns/toast\"}}"
        }
        let tiles = (0..<8).map { number in
            "\"tile\(number)\": {\"pushChannel\": \"https://example.com/\(id)/\(number)\", "
                + "\"templates\": {\(all.joined(separator: ", "))}}"
        }
        return """
            {"installationId": "\(id)", "platform": "wns",
            "pushChannel": "https://example.com/\(id)",
            "pushVariables": {\(variables.joined(separator: ", "))},
            "templates": {\(all.joined(separator: ", "))},
            "secondaryTiles": {\(tiles.joined(separator: ", "))}}
            """
    }

    private func draft(_ text: String, _ id: String) throws -> InstallationDraft {
        try GivenInstallation.draft(text, id: id)
    }

    @Test("are refused when they repeat too many bytes")
    func expansion() throws {
        #expect(try draft(Self.large("few", variableBytes: 1), "few").parts.count == 288)
        let limit = CoreLimits.standard.installations.installationExpandedBytesMax
        do {
            _ = try draft(Self.large("many", variableBytes: 900), "many")
            Issue.record("not refused")
        } catch {
            guard
                case .tooLarge("registrations of the installation", let bytes, limit)? =
                    error as? Refusal
            else { throw error }
            #expect(bytes > 8_000_000)
        }
    }

    @Test("let a send of another go first, and come one by one")
    func order() throws {
        let harness = try DirectoryHarness()
        let grant = DirectoryHarness.manage
        let large = try (0..<4).map { number in
            harness.submit(
                PutInstallation(
                    try draft(Self.large("i\(number)", variableBytes: 1), "i\(number)"),
                    grant
                )
            )
        }
        let send = harness.submit(Send(Given.draft()))
        let group = try #require(harness.directory.nextGroup(now: harness.now))
        #expect(group.records.count == 1)
        let result = harness.storage.commit(changes: group.changes, records: group.records)
        harness.directory.committed(group, result, now: harness.now)
        harness.collect()
        #expect(send.reply != nil)
        #expect(large.map { $0.reply != nil } == [true, false, false, false])
        // The writer turns to new mail before it takes the next.
        #expect(harness.directory.hasWork && !harness.directory.hasPromptWork)
        harness.run()
        #expect(large.allSatisfy { $0.reply != nil })
    }

    @Test("that change nothing let new mail go first too")
    func repeated() throws {
        let harness = try DirectoryHarness()
        let same = PutInstallation(
            try draft(Self.large("i", variableBytes: 1), "i"),
            DirectoryHarness.manage
        )
        _ = try harness.perform(same)
        let again = (0..<10).map { _ in harness.submit(same) }
        #expect(harness.directory.nextGroup(now: harness.now) == nil)
        #expect(harness.directory.hasWork)
        harness.run()
        #expect(again.allSatisfy { $0.reply != nil })
    }
}
