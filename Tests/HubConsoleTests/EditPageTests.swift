import HubConsole
import HubModel
import HubREST
import HubRules
import HubTags
import HubVocabulary
import Testing

@Suite("Health and edits on pages")
struct EditPageTests {
    @Test("a registration's tags are changed as they were shown, and not behind another's back")
    func tags() async throws {
        let world = ConsoleWorld()
        let id = try await world.register(tags: ["World", "locale:de"])
        let browser = try await world.browser()
        let page = try await world.get("h/news/registrations/\(id)", browser).body
        #expect(page.contains("World, locale:de</textarea>"))
        let version = try await world.registration(id).version
        let path = "h/news/registrations/\(id)/tags"
        let sent = try await world.post(
            path,
            browser,
            ["tags": "World, , Sports ", "version": "\(version)"]
        )
        #expect(sent.status == 303)
        let changed = try await world.get("h/news/registrations/\(id)", browser).body
        #expect(changed.contains("World, Sports</textarea>"))
        #expect(world.audit.last?.operation == "console.changeTags")
        let late = try await world.post(
            path,
            browser,
            ["tags": "Late", "version": "\(version)"]
        )
        #expect(late.status == 412)
        let wrong = try await world.post(
            path,
            browser,
            ["tags": "not a tag!", "version": "\(version + 1)"]
        )
        #expect(wrong.status == 400)
        #expect(try await world.registration(id).tags.count == 2)
        let viewer = try await world.browser(.viewer)
        let shown = try await world.get("h/news/registrations/\(id)", viewer).body
        #expect(!shown.contains("Change its tags"))
    }

    @Test("health shows the doctor's findings with their remedies, and keys to managers alone")
    func findings() async throws {
        let world = ConsoleWorld()
        let viewer = try await world.browser(.viewer)
        let calm = try await world.get("health", viewer).body
        #expect(calm.contains("Nothing about hubs and keys."))
        let rules = try world.hub.hub(ConsoleHub.news).rules.map(\.rule)
        let full = try #require(rules.first { $0.rights.contains(.manage) })
        full.primaryUse.mark(.device, at: world.hub.now)
        let manager = try await world.get("health", try await world.browser()).body
        #expect(manager.contains("E22"))
        #expect(manager.contains("Devices connect with the rule \(full.name)"))
        #expect(manager.contains("belfry key rotate \(full.name) --hub news"))
        #expect(try await !world.get("health", viewer).body.contains("E22"))
        let other = try #require(HubName("other"))
        let elsewhere = try await world.get("health", try await world.browser(hub: other)).body
        #expect(!elsewhere.contains("E22"))
        world.hub.pass(seconds: 3_600)
        let late = try await world.get("health", try await world.browser()).body
        #expect(late.contains("W33") && late.contains("The numbers were not read"))
        world.hub.rest(because: "the credential is refused")
        let refused = try await world.get("health", try await world.browser()).body
        #expect(refused.contains("E35") && refused.contains("stands still: the credential"))
    }
}
