import Foundation
import HubTestSupport
import Testing

@testable import HubData

@Suite("The data folder")
struct DataFolderTests {
    @Test("is made for its owner only, and an existing one becomes so")
    func permissions() throws {
        let place = TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: place.path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755]
        )
        let folder = try DataFolder(path: place.path + "/")
        #expect(folder.path == place.path)
        #expect(try place.mode() == 0o700)
        try DataFolder.makeFolder(folder.file("deeper/still"))
        #expect(try place.mode("deeper/still") == 0o700)
    }

    @Test("is held by one at a time and free again with its holder's end")
    func lock() throws {
        let place = TemporaryFolder()
        do {
            let first = try DataFolder(path: place.path)
            let error = try #require(throws: ServerError.self) {
                _ = try DataFolder(path: place.path)
            }
            #expect("\(error)".hasSuffix("another belfry process"))
            first.release()
            let second = try DataFolder(path: place.path)
            withExtendedLifetime(second) {}
        }
        _ = try DataFolder(path: place.path)
        #expect(place.everything == [".gitignore"])
    }

    @Test("replaces a file in one step, 0600 whatever lay there before")
    func write() throws {
        let place = TemporaryFolder()
        let folder = try DataFolder(path: place.path)
        try place.write("half a write that was cut off", to: "keys.new")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644],
            ofItemAtPath: place.file("keys.new")
        )
        try DataFolder.write(Array("one".utf8), to: folder.file("keys"))
        #expect(try place.mode("keys") == 0o600)
        let before = try FileManager.default.attributesOfItem(atPath: place.file("keys"))
        try DataFolder.write(Array("two".utf8), to: folder.file("keys"))
        let after = try FileManager.default.attributesOfItem(atPath: place.file("keys"))
        // Another file under the same name: a reader of the old one still reads all of it.
        #expect(before[.systemFileNumber] as? Int != after[.systemFileNumber] as? Int)
        #expect(try DataFolder.read(folder.file("keys")) == Array("two".utf8))
        #expect(place.everything == [".gitignore", "keys"])
    }

    @Test("keeps the old file when a new one cannot be written, and says why in one line")
    func failedWrite() throws {
        let place = TemporaryFolder()
        let folder = try DataFolder(path: place.path)
        try DataFolder.write(Array("old".utf8), to: folder.file("keys"))
        try FileManager.default.createDirectory(
            atPath: place.file("keys.new"),
            withIntermediateDirectories: false
        )
        let error = try #require(throws: ServerError.self) {
            try DataFolder.write(Array("new".utf8), to: folder.file("keys"))
        }
        #expect("\(error)".contains(place.file("keys")))
        #expect(!"\(error)".contains("\n"))
        #expect(try place.text("keys") == "old")
    }

    @Test("that is a file, or below one, is refused with its path")
    func notAFolder() throws {
        let place = TemporaryFolder()
        _ = try DataFolder(path: place.path)
        try place.write("", to: "file")
        for path in [place.file("file"), place.file("file/below")] {
            guard
                case .folder(let named, let reason) = try refusal(of: {
                    _ = try DataFolder(path: path)
                })
            else {
                Issue.record("\(path) was taken for a folder")
                continue
            }
            #expect(named == path)
            #expect(!reason.isEmpty && !reason.contains("\n"), "\(reason)")
        }
    }

    @Test("a file that is not there is nil, one that cannot be read an error")
    func read() throws {
        let place = TemporaryFolder()
        let folder = try DataFolder(path: place.path)
        #expect(try DataFolder.read(folder.file("nothing")) == nil)
        guard case .folder = try refusal(of: { _ = try DataFolder.read(folder.path) }) else {
            Issue.record("a folder was read as a file")
            return
        }
    }
}
