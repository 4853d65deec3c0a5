import Testing

@Suite("A body that comes late")
struct LateBodyTests {
    @Test(
        "is not obeyed when the key or the hub has gone meanwhile",
        arguments: [
            (Verb.post, "/news/messages", "{\"a\":\"b\"}"),
            (Verb.put, "/news/installations/i-1", "{}"),
            (Verb.patch, "/news/installations/i-1", "[]"),
        ]
    )
    func lookedAtAgain(verb: Verb, path: String, body: String) async throws {
        for (looks, status) in [(0, 401), (1, 401)] {
            let harness = RESTHarness()
            harness.hub.change { $0.grantsLeft = looks }
            let reply = try await harness.send(
                verb,
                path + "?api-version=2015-01",
                headers: [("ServiceBusNotification-Format", "template")],
                body: body
            )
            #expect(reply.status == status, "\(looks) looks: \(reply.body)")
            #expect(harness.hub.read { $0.requests.isEmpty })
            #expect(harness.hub.read { $0.access.count } == looks + 1)
        }
    }
}
