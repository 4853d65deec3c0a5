import HubModel
import HubREST
import HubVocabulary
import Testing

@testable import HubServer

@Suite("The health of a store")
struct StoreHealthTests {
    @Test(
        "has a cause that names neither hub nor file",
        arguments: [
            (StoreError.full, "no space is left on the device"),
            (.unavailable(reason: "/d/hubs/news/1.db: disk I/O error"), "disk I/O error"),
            (.corrupted("/d/hubs/news/1.db: record 7"), "damaged data"),
            (.locked(path: "/d/hubs/news"), "in use by another process"),
            (.notDurable("/d/hubs/news/1.db: off"), "would not keep what it acknowledges"),
        ]
    )
    func cause(error: StoreError, cause: String) throws {
        let (health, hub) = (StoreHealth(), try #require(HubName("news")))
        #expect(health.problem(of: hub) == nil)
        health.commitEnded(error)
        let problem = try #require(health.problem(of: hub))
        #expect(problem.cause.hasSuffix(cause) && !problem.cause.contains("news"))
        #expect(problem.description == "hub 'news': \(error)")
        health.commitEnded(nil)
        #expect(health.problem(of: hub) == nil)
    }
}
