import HubClient
import Testing

/// A request whose head is refused gets its answer, and its client goes on at once.
@Suite("Refused requests with a body")
struct RefusedBodyTests {
    @Test("do not hold up their client", .timeLimit(.minutes(2)))
    func refused() async throws {
        let hub = try await RunningHub.start()
        var listening = hub.connection
        listening.connectionStrings.full = hub.connection.connectionStrings.listen
        // Each client ends after its refusal: an exchange that is half open would hold it up.
        for _ in 0..<200 {
            let sender = try SenderClient(listening)
            await #expect(throws: SenderError.self) {
                _ = try await sender.send(.template(["messageParam": "Hello"]))
            }
            await sender.close()
        }
        #expect(try await hub.terminate() == 0)
    }
}
