import Testing

@testable import HubServer

@Suite("connection.json")
struct ConnectionDescriptionTests {
    @Test("has these bytes and is its owner's")
    func bytes() throws {
        let place = TemporaryFolder()
        _ = try DataFolder(path: place.path)
        let description = ConnectionDescription(
            hub: "hub",
            rest: .init(host: "localhost", port: 8_443),
            devices: .init(host: "localhost", port: 9_443),
            ca: "/data/tls/ca.pem",
            connectionStrings: .init(full: "Endpoint=sb://x/;a", listen: "b", send: "c"),
            pid: 42
        )
        try description.write(to: place.file("connection.json"))
        #expect(
            try place.text("connection.json") == """
                {
                  "ca" : "/data/tls/ca.pem",
                  "connectionStrings" : {
                    "full" : "Endpoint=sb://x/;a",
                    "listen" : "b",
                    "send" : "c"
                  },
                  "devices" : {
                    "host" : "localhost",
                    "port" : 9443
                  },
                  "hub" : "hub",
                  "pid" : 42,
                  "rest" : {
                    "host" : "localhost",
                    "port" : 8443
                  }
                }

                """
        )
        #expect(try place.mode("connection.json") == 0o600)
        #expect(place.everything == ["connection.json"])
    }
}
