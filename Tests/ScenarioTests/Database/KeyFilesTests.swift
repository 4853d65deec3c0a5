import Foundation
import HubData
import HubDatabase
import Testing

@testable import ScenarioSupport

@Suite("Keys that nodes share")
struct KeyFilesTests {
    private static func folder(
        _ files: [String: String]
    ) throws -> (ScenarioFolder, DataFolder) {
        let place = ScenarioFolder()
        for (path, text) in files { try place.write(text, to: path) }
        return (place, try DataFolder(path: place.path))
    }

    private static let files = [
        "namespace.json": "[1]", "retired.json": "[2]", "tls/ca.pem": "a", "tls/ca-key.pem": "k",
        "hubs/news/keys.json": #"{"secret": "one"}"#, "hubs/news/credentials.json": "c",
    ]

    @Test("come back as they were, and nothing else of a folder does")
    func roundTrip() throws {
        let own = ["tls/server.pem": "s", "console.json": "s", "hubs/news/log.sqlite": "l"]
        let (place, folder) = try Self.folder(Self.files.merging(own) { first, _ in first })
        let bytes = try KeyFiles(in: folder).bytes()
        let (other, target) = try Self.folder(["console.json": "other"])
        try #require(KeyFiles(bytes)).write(to: target)
        #expect(try KeyFiles(in: target) == KeyFiles(in: folder))
        for (path, text) in Self.files {
            let found = try String(contentsOfFile: other.file(path), encoding: .utf8)
            #expect(found == text)
        }
        let kept = try String(contentsOfFile: other.file("console.json"), encoding: .utf8)
        #expect(kept == "other")
        #expect(!FileManager.default.fileExists(atPath: other.file("hubs/news/log.sqlite")))
        withExtendedLifetime(place) {}
    }

    @Test("a hub that went takes its copy along, and so does one that was made again")
    func replaced() throws {
        let (place, source) = try Self.folder(Self.files)
        let copies = [
            "hubs/news/log.sqlite": "l", "hubs/gone/keys.json": "{}", "hubs/gone/log.sqlite": "l",
            "hubs/news/keys.json": #"{"secret": "one"}"#, "hubs/news/credentials.json": "old",
        ]
        let (other, target) = try Self.folder(copies)
        try KeyFiles(in: source).write(to: target)
        #expect(FileManager.default.fileExists(atPath: other.file("hubs/news/log.sqlite")))
        #expect(!FileManager.default.fileExists(atPath: other.file("hubs/gone")))
        // Rules change, and the hub stays the same.
        try place.write(#"{"secret": "one", "rules": []}"#, to: "hubs/news/keys.json")
        try KeyFiles(in: source).write(to: target)
        #expect(FileManager.default.fileExists(atPath: other.file("hubs/news/log.sqlite")))
        try place.write(#"{"secret": "two"}"#, to: "hubs/news/keys.json")
        try FileManager.default.removeItem(atPath: place.file("hubs/news/credentials.json"))
        try KeyFiles(in: source).write(to: target)
        #expect(!FileManager.default.fileExists(atPath: other.file("hubs/news/log.sqlite")))
        #expect(!FileManager.default.fileExists(atPath: other.file("hubs/news/credentials.json")))
    }

    @Test("names that lead out of the folder are refused")
    func strange() throws {
        for path in ["../x", "belfry.json", "hubs/../keys.json", "hubs/news/other", "tls/x"] {
            let text = #"{"files": {"\#(path)": "YQ=="}}"#
            let files = try #require(KeyFiles(Array(text.utf8)))
            let (place, folder) = try Self.folder([:])
            #expect(throws: ServerError.self, "\(path)") { try files.write(to: folder) }
            withExtendedLifetime(place) {}
        }
    }

    @Test("open with the key that sealed them, for one database")
    func sealed() throws {
        let (place, folder) = try Self.folder([:])
        #expect(try ClusterKey(of: folder) == nil)
        let sealed = try ClusterKey(madeFor: folder).seal([1, 2, 3], of: "one")
        let again = try #require(try ClusterKey(of: folder))
        #expect(again.open(sealed, of: "one") == [1, 2, 3])
        #expect(again.open(sealed, of: "two") == nil && again.open([], of: "one") == nil)
        let (otherPlace, other) = try Self.folder([:])
        #expect(try ClusterKey(madeFor: other).open(sealed, of: "one") == nil)
        for text in ["", "AA==", "no base64"] {
            try otherPlace.write(text, to: "cluster.key")
            #expect(throws: ServerError.self) { try ClusterKey(of: other) }
        }
        withExtendedLifetime(place) {}
    }
}
