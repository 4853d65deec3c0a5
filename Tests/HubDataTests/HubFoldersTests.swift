import Foundation
import HubRules
@testable import HubData
import HubTestSupport
import HubVocabulary
import Testing

@Suite("Folders of hubs")
struct HubFoldersTests {
    private struct Bench {
        let place = TemporaryFolder()
        let folder: DataFolder
        let folders: HubFolders

        init() throws {
            folder = try DataFolder(path: place.path)
            folders = try HubFolders(folder: folder)
        }

        func make(_ name: String) throws -> StoredHub {
            try folders.make(HubFolders.new(try #require(HubName(name))))
        }
    }

    private static func texts(_ hub: StoredHub) -> [String] {
        hub.description.rules.map {
            "\($0.rule.name) \($0.rule.primaryKey) \($0.rule.secondaryKey) \($0.rule.rights) "
                + "\($0.created.milliseconds) \($0.modified.milliseconds)"
        } + [hub.description.metadata, "\(hub.description.created.milliseconds)"]
    }

    @Test("are made whole, changed in place and read again as they are")
    func cycle() throws {
        let bench = try Bench()
        var hub = try bench.make("news")
        #expect(bench.place.data == ["hubs", "hubs/news", "hubs/news/keys.json"])
        #expect(try bench.place.mode("hubs/news") == 0o700)
        #expect(try bench.place.mode("hubs/news/keys.json") == 0o600)
        let secret = try Self.secret(bench)
        hub.description = try hub.description.updated(
            by: HubDefinition(
                rules: [.init(name: "Mine", rights: [.send], primaryKey: "p", secondaryKey: "s")],
                metadata: "a note"
            ),
            now: Timestamp(milliseconds: 1_900_000_000_000),
            newKey: HubKeys.newKey
        )
        try bench.folders.update(hub)
        let read = try bench.folders.all()
        #expect(read.map(\.name.description) == ["news"])
        #expect(Self.texts(read[0]) == Self.texts(hub))
        #expect(try Self.secret(bench) == secret)
    }

    private static func secret(_ bench: Bench) throws -> String {
        let text = try bench.place.text("hubs/news/keys.json")
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        return try #require(object?["secret"] as? String)
    }

    @Test("that a crash left half made or half removed are gone at the next start")
    func leftovers() throws {
        let bench = try Bench()
        _ = try bench.make("kept")
        for name in [".new-0011", ".gone-2233"] {
            try DataFolder.makeFolder(bench.place.file("hubs/\(name)/deeper"))
            try bench.place.write("{}", to: "hubs/\(name)/keys.json")
            try bench.place.write("x", to: "hubs/\(name)/deeper/log.sqlite")
        }
        let keys = try HubKeys(folder: bench.folder, hubs: ["hub"])
        #expect(keys.hubs.map(\.name.description) == ["kept"])
        #expect(
            bench.place.data == [
                "hubs", "hubs/kept", "hubs/kept/keys.json", "namespace.json",
            ]
        )
    }

    @Test("are out of sight before the first file goes, and can be made again")
    func removed() throws {
        let bench = try Bench()
        let old = try bench.make("news")
        try bench.place.write("x", to: "hubs/news/log.sqlite")
        let aside = try bench.folders.setAside(old.name)
        #expect(FileManager.default.fileExists(atPath: aside + "/log.sqlite"))
        #expect(!FileManager.default.fileExists(atPath: bench.folders.path(old.name)))
        let new = try bench.make("news")
        try bench.folders.remove(aside)
        #expect(bench.place.data == ["hubs", "hubs/news", "hubs/news/keys.json"])
        #expect(Self.texts(new) != Self.texts(old))
    }

    @Test("that hold a hub are never made over")
    func occupied() throws {
        let bench = try Bench()
        let name = try bench.make("news").name
        let text = try bench.place.text("hubs/news/keys.json")
        guard case .folder = try refusal(of: { _ = try bench.make("news") }) else {
            Issue.record("a hub was made twice")
            return
        }
        #expect(try bench.place.text("hubs/news/keys.json") == text)
        _ = try bench.folders.setAside(name)
        // An empty folder is as good as none; stores without keys are not.
        try DataFolder.makeFolder(bench.place.file("hubs/empty"))
        _ = try bench.make("empty")
        try DataFolder.makeFolder(bench.place.file("hubs/stores"))
        try bench.place.write("x", to: "hubs/stores/log.sqlite")
        guard case .brokenFile = try refusal(of: { _ = try bench.make("stores") }) else {
            Issue.record("a hub was made of stores without keys")
            return
        }
    }

    @Test("are those that are there once the first start is over, also when there is none")
    func afterFirstStart() throws {
        let bench = try Bench()
        let first = try HubKeys(folder: bench.folder, hubs: ["hub"])
        #expect(first.hubs.count == 1)
        try bench.folders.remove(bench.folders.setAside(first.hubs[0].name))
        #expect(try HubKeys(folder: bench.folder, hubs: ["hub"]).hubs.isEmpty)
        // A first start that was cut off before the namespace's keys goes on.
        try FileManager.default.removeItem(atPath: bench.place.file("namespace.json"))
        #expect(try HubKeys(folder: bench.folder, hubs: ["hub"]).hubs.count == 1)
    }
}
