import Foundation
import HubEndpoint
import Testing

@Suite("connection.json")
struct ConnectionFileTests {
    static let good = """
        {"hub":"hub","rest":{"host":"127.0.0.1","port":8443},"devices":{"host":"localhost","port":9443},
         "ca":"/data/ca.pem","connectionStrings":{"full":"f","listen":"l","send":"s"},"pid":4711}
        """

    /// Writes a file, hands its path to `body`, and removes it.
    private func withFile<Result>(_ text: String, _ body: (String) throws -> Result) throws
        -> Result
    {
        let path = "/tmp/belfry-connection-\(UInt64.random(in: 0 ... .max)).json"
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try body(path)
    }

    @Test("is read as the design describes it")
    func reads() throws {
        let file = try withFile(Self.good) { try ConnectionFile(path: $0) }
        let expected = ConnectionFile(
            hub: "hub",
            rest: .init(host: "127.0.0.1", port: 8_443),
            devices: .init(host: "localhost", port: 9_443),
            ca: "/data/ca.pem",
            connectionStrings: .init(full: "f", listen: "l", send: "s"),
            pid: 4_711
        )
        #expect(file == expected)
    }

    @Test(
        "names the field that is missing or wrong",
        arguments: [
            ("\"port\":8443", "\"port\":\"8443\"", "rest.port"),
            ("\"port\":9443", "\"port\":99999", "devices.port"),
            ("\"listen\":\"l\",", "", "connectionStrings.listen"),
            ("\"pid\":4711", "\"pip\":4711", "pid"),
        ]
    )
    func malformed(_ part: String, _ replacement: String, _ field: String) throws {
        let range = try #require(Self.good.firstRange(of: part))
        var text = Self.good
        text.replaceSubrange(range, with: replacement)
        try withFile(text) { path in
            _ = #expect(throws: ConnectionFileError.malformed(path: path, field: field)) {
                try ConnectionFile(path: path)
            }
        }
    }

    @Test("says when the hub is not there, and when the file is something else")
    func missing() throws {
        let folder = "/nonexistent-belfry"
        #expect(throws: ConnectionFileError.missing(path: folder + "/connection.json")) {
            try ConnectionFile(dataFolder: folder)
        }
        try withFile("not json") { path in
            _ = #expect(throws: ConnectionFileError.malformed(path: path, field: "")) {
                try ConnectionFile(path: path)
            }
        }
    }
}
