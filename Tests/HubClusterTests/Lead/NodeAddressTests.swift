import HubCluster
import Testing

@Suite("Addresses of nodes")
struct NodeAddressTests {
    @Test("are read as they are written", arguments: ["node1:8443", "10.0.0.1:1", "[::1]:65535"])
    func reads(text: String) {
        #expect(NodeAddress(text)?.description == text)
    }

    @Test(
        "are refused without a host or a port",
        arguments: [
            "", "node1", ":8443", "[]:8443", "node1:", "node1:0", "node1:65536", "::1:8443",
        ]
    )
    func refuses(text: String) {
        #expect(NodeAddress(text) == nil)
    }

    @Test("have no brackets around the host of IPv6")
    func brackets() {
        #expect(NodeAddress("[::1]:8443") == NodeAddress(host: "::1", port: 8_443))
    }
}
