import HubModel
import HubREST
import HubVocabulary
import Testing

@Suite("Relays on a hub's overview")
struct RelaySectionTests {
    private func overview(_ world: ConsoleWorld) async throws -> String {
        try await world.get("h/news/", try await world.browser(.viewer)).body
    }

    @Test("are shown with their pace, what waits, and the word on their credential")
    func relays() async throws {
        let world = ConsoleWorld()
        #expect(try await !overview(world).contains("Relays to push services"))
        world.hub.relay { condition in
            (condition.rate, condition.waiting) = (1_234.4, 5)
            condition.credential = .works
            condition.oldest = ConsoleHub.start
        }
        let page = try await overview(world)
        for text in [
            "Relays to push services", "<td>apple</td>", " sends", " works", "2026-05-04T09:12:03",
            #"<td class="number">1</td>"#, #"<td class="number">7</td>"#,
            #"<td class="number">1,234</td>"#,
        ] {
            #expect(page.contains(text), "\(text)")
        }
        world.hub.relay { $0.certificateEnd = ConsoleHub.start.adding(seconds: 86_400) }
        let untried = try await overview(world)
        #expect(untried.contains(" untried") && untried.contains("its certificate ends "))
        world.hub.rest(because: "<i>key</i>")
        let resting = try await overview(world)
        #expect(resting.contains("refused: ") && resting.contains("&lt;i&gt;key&lt;/i&gt;"))
        #expect(!resting.contains("<i>"))
    }
}
