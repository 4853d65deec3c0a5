import HTTPTypes
import HubRules
import Hummingbird
import Testing

@Suite("The external host")
struct HostTests {
    @Test(
        "is the request's, else the configured one",
        arguments: [
            (String?("hub.example.org"), "hub.example.org", "hub.example.org"),
            ("hub.example.org:8443", "hub.example.org:8443", "hub.example.org"),
            ("[::1]:8443", "[::1]:8443", "[::1]"),
            (nil, "hubs.example.net:8443", "hubs.example.net"),
            ("", "hubs.example.net:8443", "hubs.example.net"),
            ("evil\"/><x", "hubs.example.net:8443", "hubs.example.net"),
            ("user@host", "hubs.example.net:8443", "hubs.example.net"),
            (String(repeating: "a", count: 301), "hubs.example.net:8443", "hubs.example.net"),
        ] as [(String?, String, String)]
    )
    func host(_ given: String?, _ shown: String, _ name: String) async throws {
        let harness = RESTHarness()
        let response = try await harness.post(
            "/news/registrationIDs",
            RequestBody(buffer: ByteBuffer()),
            authority: given
        )
        let location = try #require(response.headers[.location])
        #expect(location.hasPrefix("https://\(shown)/news/registrationIDs/"), "\(location)")
        #expect(harness.hub.read { $0.access.last?.host } == name)
    }
}
