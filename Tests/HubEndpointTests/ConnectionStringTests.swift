import HubEndpoint
import Testing

@Suite("Connection strings")
struct ConnectionStringTests {
    private static let key = "c2VsZi1ob3N0ZWQtaHViLWRlbW8ta2V5LTAwMDE="

    @Test("are printed in the one shape every client reads, and read back")
    func roundTrip() throws {
        let made = ConnectionString(
            host: "hubs.example.net",
            port: 8_443,
            keyName: "DefaultFullSharedAccessSignature",
            key: Self.key
        )
        #expect(
            made.text == "Endpoint=sb://hubs.example.net:8443/;SharedAccessKeyName="
                + "DefaultFullSharedAccessSignature;SharedAccessKey=\(Self.key)"
        )
        for host in ["hubs.example.net", "127.0.0.1", "::1"] {
            for port in [1, 443, 65_535] as [UInt16] {
                let one = ConnectionString(host: host, port: port, keyName: "r", key: "a=b")
                #expect(try ConnectionString(parsing: one.text) == one)
            }
        }
    }

    @Test(
        "are read in every form that clients write",
        arguments: [
            ("Endpoint=sb://h.example/;SharedAccessKeyName=n;SharedAccessKey=k=", "h.example", 443),
            ("Endpoint=sb://h:8443/;SharedAccessKeyName=n;SharedAccessKey=k=;", "h", 8_443),
            ("SharedAccessKey=k=;SharedAccessKeyName=n;Endpoint=https://h:1", "h", 1),
            ("endpoint=h.example;sharedaccesskeyname=n;SHAREDACCESSKEY=k=", "h.example", 443),
            (
                "Endpoint=sb://[::1]:9/;SharedAccessKeyName=n;SharedAccessKey=k=;TransportType=x",
                "::1", 9
            ),
        ] as [(String, String, UInt16)]
    )
    func reads(_ text: String, _ host: String, _ port: UInt16) throws {
        let connection = try ConnectionString(parsing: text)
        let expected = ConnectionString(host: host, port: port, keyName: "n", key: "k=")
        #expect(connection == expected)
        #expect(try ConnectionString(parsing: connection.text) == expected)
    }

    @Test("may name their hub")
    func entityPath() throws {
        let text = "Endpoint=sb://h/;SharedAccessKeyName=n;SharedAccessKey=k=;EntityPath=news"
        let connection = try ConnectionString(parsing: text)
        #expect(connection.hub == "news" && connection.text == text)
        let parts = text.replacing("EntityPath=news", with: "entitypath=")
        #expect(try ConnectionString(parsing: parts).hub == nil)
    }

    @Test(
        "that are wrong name the part, and quote nothing",
        arguments: [
            ("", .missing("Endpoint")),
            ("Endpoint=;SharedAccessKeyName=n;SharedAccessKey=k", .missing("Endpoint")),
            ("Endpoint=sb://h/;SharedAccessKey=k", .missing("SharedAccessKeyName")),
            ("Endpoint=sb://h/;SharedAccessKeyName=n", .missing("SharedAccessKey")),
            ("Endpoint=sb://h/;secret", .partWithoutValue),
            (
                "Endpoint=ftp://h/;SharedAccessKeyName=n;SharedAccessKey=k",
                .schemeUnsupported("ftp")
            ),
            ("Endpoint=sb://h:0/;SharedAccessKeyName=n;SharedAccessKey=k", .endpointMalformed),
            ("Endpoint=sb://h:99999/;SharedAccessKeyName=n;SharedAccessKey=k", .endpointMalformed),
            ("Endpoint=sb://h/path/;SharedAccessKeyName=n;SharedAccessKey=k", .endpointMalformed),
            ("Endpoint=sb://u@h/;SharedAccessKeyName=n;SharedAccessKey=k", .endpointMalformed),
            ("Endpoint=sb:///;SharedAccessKeyName=n;SharedAccessKey=k", .endpointMalformed),
            ("Endpoint=sb://[::1;SharedAccessKeyName=n;SharedAccessKey=k", .endpointMalformed),
        ] as [(String, ConnectionStringError)]
    )
    func refuses(_ text: String, _ error: ConnectionStringError) {
        #expect(throws: error) { try ConnectionString(parsing: text) }
    }
}
