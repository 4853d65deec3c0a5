import Foundation
import HubRules
@testable import HubData
import HubTestSupport
import HubVocabulary
import Testing

@Suite("Keys in the data folder")
struct HubKeysTests {
    @Test("are made once, at random, readable by the owner only, and read again")
    func madeOnce() throws {
        let place = TemporaryFolder()
        let folder = try DataFolder(path: place.path)
        let first = try HubKeys(folder: folder, hubs: ["News", "alerts"])
        #expect(first.hubs.map(\.name.description) == ["News".lowercased(), "alerts"])
        #expect(
            place.data == [
                "hubs", "hubs/alerts", "hubs/alerts/keys.json", "hubs/news", "hubs/news/keys.json",
                "namespace.json",
            ]
        )
        for file in place.everything where file.hasSuffix(".json") {
            #expect(try place.mode(file) == 0o600, "\(file)")
        }
        let again = try HubKeys(folder: folder, hubs: ["other"])
        #expect(again.hubs.map(\.name) == first.hubs.map(\.name).sorted())
        #expect(Self.texts(again.namespace.map(\.rule)) == Self.texts(first.namespace.map(\.rule)))
        for hub in again.hubs {
            let made = try #require(first.hubs.first { $0.name == hub.name })
            #expect(Self.texts(hub.rules) == Self.texts(made.rules))
            #expect(try secret(place, hub.name) == secret(place, made.name))
        }
        let keys = (first.hubs.flatMap(\.rules) + first.namespace.map(\.rule)).map(\.primaryKey)
        #expect(Set(keys).count == keys.count, "a key was given twice")
        #expect(try secret(place, first.hubs[0].name) != secret(place, first.hubs[1].name))
    }

    @Test("of the namespace are replaced, and keep when each was made")
    func replaced() throws {
        let place = TemporaryFolder()
        let folder = try DataFolder(path: place.path)
        let first = try HubKeys(folder: folder, hubs: ["news"])
        let later = try #require(first.namespace.first).primaryMade.adding(seconds: 60)
        let changed = try first.namespace.map { try $0.renewing(.secondary, now: later) { "new" } }
        try first.folders.namespace.write(changed)
        let again = try HubKeys(folder: folder, hubs: []).namespace
        #expect(again.map(\.rule.primaryKey) == first.namespace.map(\.rule.primaryKey))
        #expect(again.map(\.rule.secondaryKey) == ["new"])
        #expect(again.map(\.secondaryMade) == [later])
        #expect(again.map(\.newestKey) == ["new"])
        #expect(first.namespace.map(\.newestKey) == first.namespace.map(\.rule.primaryKey))
        #expect(again.map(\.primaryMade) == first.namespace.map(\.primaryMade))
        #expect(try place.mode("namespace.json") == 0o600)
    }

    @Test("of several hubs are all there after a first start that was cut short anywhere")
    func cutShort() throws {
        let names = ["alerts", "news", "sports"]
        for made in 0...names.count {
            let place = TemporaryFolder()
            let folder = try DataFolder(path: place.path)
            let folders = try HubFolders(folder: folder)
            for name in names.prefix(made) {
                _ = try folders.make(HubFolders.new(try #require(HubName(name))))
            }
            let whole = try HubKeys(folder: folder, hubs: names)
            #expect(whole.hubs.map(\.name.description).sorted() == names, "\(made) were made")
            #expect(Set(place.everything).isSuperset(of: ["namespace.json"]))
        }
    }

    @Test("are made for the hubs whose folders an operator has made, and no others")
    func operatorsChoice() throws {
        let place = TemporaryFolder()
        let folder = try DataFolder(path: place.path)
        try DataFolder.makeFolder(place.file("hubs/mine"))
        let keys = try HubKeys(folder: folder, hubs: ["hub"])
        #expect(keys.hubs.map(\.name.description) == ["mine"])
    }

    private static func texts(_ rules: [AccessRule]) -> [String] {
        rules.map { "\($0.name) \($0.primaryKey) \($0.secondaryKey) \($0.rights)" }
    }

    private func secret(_ place: TemporaryFolder, _ name: HubName) throws -> String {
        let text = try place.text("hubs/\(name)/keys.json")
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        return try #require(object?["secret"] as? String)
    }

    static let damages: [(String, @Sendable (String) -> String, String)] = [
        ("hubs/hub/keys.json", { _ in "{" }, "not the JSON that was written there"),
        ("namespace.json", { _ in "7" }, "not the JSON that was written there"),
        (
            "hubs/hub/keys.json",
            { $0.replacing(/"secret" : "[^"]*"/, with: #""secret" : "AAAA""#) },
            "'secret' is not 32 bytes of base64"
        ),
        (
            "hubs/hub/keys.json", { $0.replacing(#""Listen""#, with: #""Lisen""#) },
            "no right 'Lisen'"
        ),
    ]

    @Test("that cannot be understood are named with their file", arguments: damages.indices)
    func broken(_ number: Int) throws {
        let (file, damage, reason) = Self.damages[number]
        let place = TemporaryFolder()
        let folder = try DataFolder(path: place.path)
        _ = try HubKeys(folder: folder, hubs: ["hub"])
        try place.write(damage(try place.text(file)), to: file)
        guard
            case .brokenFile(let path, let said) = try refusal(of: {
                _ = try HubKeys(folder: folder, hubs: ["hub"])
            })
        else {
            Issue.record("another error")
            return
        }
        #expect(path == place.file(file))
        #expect(said.contains(reason), "\(said)")
        #expect(!said.contains("AAAA"))
    }

    @Test("are not made anew for a hub that has stored something")
    func lostKeys() throws {
        let place = TemporaryFolder()
        let folder = try DataFolder(path: place.path)
        _ = try HubKeys(folder: folder, hubs: ["hub"])
        try FileManager.default.removeItem(atPath: place.file("hubs/hub/keys.json"))
        // A start that was cut off before the keys were written.
        _ = try HubKeys(folder: folder, hubs: ["hub"])
        try FileManager.default.removeItem(atPath: place.file("hubs/hub/keys.json"))
        try place.write("", to: "hubs/hub/registrations.sqlite")
        guard
            case .brokenFile(let path, let reason) = try refusal(of: {
                _ = try HubKeys(folder: folder, hubs: ["hub"])
            })
        else {
            Issue.record("another error")
            return
        }
        #expect(path == place.file("hubs/hub/keys.json"))
        #expect(reason.contains("backup"))
    }

    @Test("a name that is no hub's is refused, a file beside the hubs is not looked at")
    func names() throws {
        let place = TemporaryFolder()
        let folder = try DataFolder(path: place.path)
        guard
            case .hubName("no/hub") = try refusal(of: {
                _ = try HubKeys(folder: folder, hubs: ["no/hub"])
            })
        else {
            Issue.record("another error")
            return
        }
        try place.write("", to: "hubs/.DS_Store")
        #expect(try HubKeys(folder: folder, hubs: ["hub"]).hubs.map(\.name.description) == ["hub"])
    }
}
