import HubEndpoint
import HubTestSupport
import Testing

@testable import HubData

@Suite("connection.json")
struct ConnectionFileTests {
    @Test("has these bytes and is its owner's")
    func bytes() throws {
        let place = TemporaryFolder()
        _ = try DataFolder(path: place.path)
        let description = ConnectionFile(
            hub: "hub",
            rest: .init(host: "localhost", port: 8_443),
            devices: .init(host: "localhost", port: 9_443),
            ca: "/data/tls/ca.pem",
            connectionStrings: .init(
                full: "Endpoint=sb://x/;a",
                listen: "b",
                send: "c",
                namespace: "d"
            ),
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
                    "namespace" : "d",
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
        #expect(place.data == ["connection.json"])
    }

    @Test("names no authority when the system's decide")
    func systemAuthorities() throws {
        let place = TemporaryFolder()
        _ = try DataFolder(path: place.path)
        let description = ConnectionFile(
            hub: "hub",
            rest: .init(host: "localhost", port: 8_443),
            devices: .init(host: "localhost", port: 9_443),
            ca: nil,
            connectionStrings: .init(full: "a", listen: "b", send: "c", namespace: "d"),
            pid: 42
        )
        try description.write(to: place.file("connection.json"))
        #expect(!(try place.text("connection.json")).contains("\"ca\""))
    }

    @Test("names an operator's own file only when that holds a root to trust")
    func operatorsCertificate() throws {
        let place = TemporaryFolder()
        let folder = try DataFolder(path: place.path)
        let made = try DevelopmentAuthority.files(in: folder, names: ["localhost"])
        let server = try place.text("tls/server.pem")
        let root = try place.text("tls/ca.pem")
        #expect(!CertificateChain.holdsRoot(made.certificate))
        #expect(CertificateChain.holdsRoot(made.authority))
        let chain = place.file("chain.pem")
        try DataFolder.write(Array((server + root).utf8), to: chain)
        #expect(CertificateChain.holdsRoot(chain))
        try DataFolder.write(Array("no certificate".utf8), to: chain)
        #expect(!CertificateChain.holdsRoot(chain))
        #expect(!CertificateChain.holdsRoot(place.file("none.pem")))
    }
}
