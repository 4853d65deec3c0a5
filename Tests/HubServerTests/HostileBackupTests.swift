import Crypto
import Foundation
import GRDB
@testable import HubData
@testable import HubServer
import HubTestSupport
import HubVocabulary
import Testing

/// A backup that a stranger has prepared, its description made to fit.
@Suite("Hostile backups", .timeLimit(.minutes(2)))
struct HostileBackupTests {
    /// A thing in the place of a file that nothing may open or follow.
    enum Thing: CaseIterable {
        case pipe, folder, link, linkToPipe, danglingLink, device

        func put(at path: String) throws {
            try? FileManager.default.removeItem(atPath: path)
            switch self {
            case .pipe: try #require(unsafe mkfifo(path, 0o600) == 0)
            case .folder:
                try FileManager.default.createDirectory(
                    atPath: path,
                    withIntermediateDirectories: false
                )
            case .link: try link(path, to: "/etc/hostname")
            case .linkToPipe:
                try #require(unsafe mkfifo(path + ".pipe", 0o600) == 0)
                try link(path, to: path + ".pipe")
            case .danglingLink: try link(path, to: "/nowhere")
            case .device: try link(path, to: "/dev/zero")
            }
        }

        private func link(_ path: String, to target: String) throws {
            try FileManager.default.createSymbolicLink(
                atPath: path,
                withDestinationPath: target
            )
        }
    }

    private static let files = [
        "backup.json", "belfry.json", "namespace.json", "tls/server-key.pem", "hubs/hub/keys.json",
        "hubs/hub/registrations.sqlite",
    ]

    /// Makes a data folder as a first start does, and a backup of it.
    private static func backup(in place: TemporaryFolder) throws -> String {
        let data = place.file("data")
        let folder = try DataFolder(path: data)
        try ServableFolder.require(folder, ServerOptions(data: data))
        let keys = try HubKeys(folder: folder, hubs: ["hub"])
        if keys.hubs.isEmpty { _ = try keys.folders.make(HubFolders.new(#require(HubName("hub")))) }
        try ServableFolder.require(folder, ServerOptions(data: data))
        folder.release()
        try Data("{}".utf8).write(to: URL(fileURLWithPath: data + "/belfry.json"))
        let backup = place.file("backup")
        _ = try DataBackup.make(of: data, to: backup) { _ in }
        return backup
    }

    /// Restores as the command does; returns why not.
    private static func refusal(_ backup: String, _ target: String) async -> String? {
        do {
            _ = try await DataBackup.restoreServable(backup, to: target) { _ in }
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// Lets the description fit what the files are now.
    private static func describe(_ backup: String, _ change: (inout DataBackup) -> Void = { _ in })
        throws
    {
        let file = URL(fileURLWithPath: backup + "/" + DataBackup.name)
        var described = try JSONDecoder().decode(
            DataBackup.self,
            from: try Data(contentsOf: file)
        )
        for index in described.files.indices {
            described.files[index] = try DataBackup.describe(
                described.files[index].path,
                in: backup
            )
        }
        change(&described)
        try JSONEncoder().encode(described).write(to: file)
    }

    @Test("an unaltered one is restored and can be served")
    func unaltered() async throws {
        let place = TemporaryFolder()
        let backup = try Self.backup(in: place)
        #expect(await Self.refusal(backup, place.file("target")) == nil)
        let folder = try DataFolder(path: place.file("target"))
        try ServableFolder.require(folder, ServerOptions(data: folder.path))
    }

    @Test("what is no regular file is neither read nor copied", arguments: files, Thing.allCases)
    func things(_ file: String, _ thing: Thing) async throws {
        let place = TemporaryFolder()
        let backup = try Self.backup(in: place)
        try #require(FileManager.default.fileExists(atPath: backup + "/" + file))
        try thing.put(at: backup + "/" + file)
        let refusal = await Self.refusal(backup, place.file("target"))
        #expect(refusal?.contains(file) == true, "\(String(describing: refusal))")
        #expect(!FileManager.default.fileExists(atPath: place.file("target")))
        #expect(!FileManager.default.fileExists(atPath: place.file("target.restoring")))
        // Ends, whatever it finds.
        _ = try? DataBackup.verify(backup) { _ in }
    }

    @Test(
        "files that a start would refuse are refused",
        arguments: [
            ("namespace.json", "[]]"), ("namespace.json", "{}"),
            ("belfry.json", "{\"rest\": {\"prt\": 1}}"),
            ("belfry.json", "{"), ("belfry.json", "{\"rest\": {\"host\": \"0.0.0.0\"}}"),
            ("belfry.json", "{\"jobs\": {\"urls\": \"nonsense\"}}"), ("hubs/hub/keys.json", "{}"),
            ("hubs/hub/keys.json", ""),
            ("hubs/hub/registrations.sqlite", "none"), ("hubs/hub/state.sqlite", "none"),
            ("hubs/hub/state.sqlite", ""), ("tls/ca-key.pem", ""), ("tls/ca-key.pem", "none"),
        ]
    )
    func unservable(_ file: String, _ text: String) async throws {
        let place = TemporaryFolder()
        let backup = try Self.backup(in: place)
        try #require(FileManager.default.fileExists(atPath: backup + "/" + file), "\(file)")
        try Data(text.utf8).write(to: URL(fileURLWithPath: backup + "/" + file))
        try Self.describe(backup)
        #expect(await Self.refusal(backup, place.file("target")) != nil)
        #expect(!FileManager.default.fileExists(atPath: place.file("target")))
    }

    @Test(
        "files that no backup holds are refused",
        arguments: [
            "connection.json", "tls/../namespace.json", "hubs/hub/jobs/x", "hubs//hub/keys.json",
            "hubs/hub/log.sqlite-wal", "/etc/hostname", "./namespace.json", "tls/a/b",
        ]
    )
    func foreignFiles(_ path: String) async throws {
        let place = TemporaryFolder()
        let backup = try Self.backup(in: place)
        try Self.describe(backup) { description in
            description.files.append(.init(path: path, size: 0, sha256: ""))
        }
        let refusal = await Self.refusal(backup, place.file("target"))
        #expect(refusal?.contains("names") == true, "\(String(describing: refusal))")
    }

    @Test(
        "a store that would do more than it is told is refused",
        arguments: [
            "CREATE VIEW other AS SELECT 1", "CREATE VIRTUAL TABLE other USING fts5(a)",
            """
            CREATE TABLE other (a); CREATE TRIGGER forget AFTER INSERT ON other
            BEGIN DELETE FROM other; END
            """,
        ]
    )
    func programs(_ sql: String) async throws {
        for name in ["registrations", "state"] {
            let place = TemporaryFolder()
            let backup = try Self.backup(in: place)
            let file = try DatabaseQueue(path: backup + "/hubs/hub/\(name).sqlite")
            try await file.write { try $0.execute(sql: sql) }
            try file.close()
            try Self.describe(backup)
            let refusal = await Self.refusal(backup, place.file("target"))
            #expect(refusal?.contains("triggers") == true, "\(String(describing: refusal))")
        }
    }

    @Test("one that lacks the keys of the namespace is refused")
    func namespaceMissing() async throws {
        let place = TemporaryFolder()
        let backup = try Self.backup(in: place)
        try Self.describe(backup) { $0.files.removeAll { $0.path == "namespace.json" } }
        let refusal = await Self.refusal(backup, place.file("target"))
        #expect(refusal?.contains("names no namespace.json") == true)
    }

    @Test("whatever byte of a store is altered, what is restored can be served")
    func alteredBytes() async throws {
        for seed in UInt64(0)..<24 {
            let place = TemporaryFolder()
            let backup = try Self.backup(in: place)
            let name = ["registrations", "state"][Int(seed % 2)]
            let file = URL(fileURLWithPath: backup + "/hubs/hub/\(name).sqlite")
            var bytes = [UInt8](try Data(contentsOf: file))
            var random = SeededGenerator(seed: seed)
            for _ in 0..<8 { bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 0xFF }
            try Data(bytes).write(to: file)
            try Self.describe(backup)
            let target = place.file("target")
            guard await Self.refusal(backup, target) == nil else { continue }
            let folder = try DataFolder(path: target)
            #expect(throws: Never.self, "seed \(seed)") {
                try ServableFolder.require(folder, ServerOptions(data: target))
            }
        }
    }
}
