import Foundation
import Testing

@testable import AppBackend

@Suite("The backend's folder and its key")
struct FolderTests {
    @Test("a key below the folder is found there, whatever the spelling and whatever the links")
    func inside() throws {
        let it = try TemporaryStore(users: [])
        let root = it.path
        let manager = FileManager.default
        try manager.createDirectory(
            atPath: root + "/below/deep",
            withIntermediateDirectories: true
        )
        let link = root + "-link"
        try manager.createSymbolicLink(atPath: link, withDestinationPath: root)
        let key = root + "-key"
        try Data("x".utf8).write(to: URL(fileURLWithPath: root + "/real"))
        try manager.createSymbolicLink(atPath: key, withDestinationPath: root + "/real")
        defer {
            for path in [link, key] { try? manager.removeItem(atPath: path) }
        }
        for path in [
            root + "/a.key", root + "/below/../a.key", root + "/below/deep/a.key",
            root + "//a.key", link + "/a.key", link + "/missing/a.key", key,
        ] {
            #expect(BackendFolder.holds(path, in: root), "\(path)")
            #expect(BackendFolder.holds(path, in: link), "\(path)")
            #expect(BackendFolder.holds(path, in: root + "/"), "\(path)")
        }
        for path in [root + ".key", root + "/../a.key", "/tmp/a.key", root + "x/a.key"] {
            #expect(!BackendFolder.holds(path, in: root), "\(path)")
        }
        let here = manager.currentDirectoryPath
        #expect(BackendFolder.holds("a.key", in: "."))
        #expect(BackendFolder.holds(here + "/a.key", in: "."))
        #expect(!BackendFolder.holds("../a.key", in: "."))
    }

    @Test("beside a folder that is called . the key is beside it")
    func dot() {
        let options = BackendOptions(hubData: "data", data: ".")
        let here = FileManager.default.currentDirectoryPath
        #expect(options.data == here)
        #expect(options.keyFile == here + ".key")
        #expect(!BackendFolder.holds(options.keyFile, in: options.data))
    }

    @Test("a folder that is made is its owner's alone, one that is there stays as it is")
    func rights() throws {
        let it = try TemporaryStore(users: [])
        let manager = FileManager.default
        func mode(_ path: String) throws -> Int {
            try manager.attributesOfItem(atPath: path)[.posixPermissions] as? Int ?? 0
        }
        #expect(try mode(it.path) == 0o700)
        let theirs = it.path + "/theirs"
        try manager.createDirectory(
            atPath: theirs,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o755]
        )
        try BackendFolder.make(theirs)
        #expect(try mode(theirs) == 0o755)
        #expect(throws: BackendError.self) { try BackendFolder.make(it.path + "/backend.sqlite") }
    }

    @Test("passwords have their bytes at least and at most")
    func passwords() async throws {
        let it = try TemporaryStore(users: [])
        var options = BackendOptions(hubData: it.path + "-hub", data: it.path)
        options.limits = it.limits
        let users = try BackendUsers(options)
        defer { users.close() }
        for (count, isTaken) in [(7, false), (8, true), (1_024, true), (1_025, false)] {
            let password = [UInt8](repeating: 0x61, count: count)
            if isTaken {
                try users.add("user\(count)", password: password)
            } else {
                #expect(throws: BackendError.self, "\(count)") {
                    try users.add("user\(count)", password: password)
                }
            }
        }
        try await users.setPassword(of: "user8", [UInt8](repeating: 0x62, count: 8))
        #expect(try users.list().map(\.name) == ["user1024", "user8"])
    }

    @Test("the environment's key is used, and no file is made or read")
    func environment() throws {
        let it = try TemporaryStore(users: [])
        let file = it.path + "-none.key"
        let text = String(repeating: "0f", count: 32)
        let one = try PayloadCipher(
            file: file,
            environment: ["BELFRY_BACKEND_KEY": text],
            isNew: true
        )
        let sealed = try one.seal([1, 2, 3], for: "here")
        let same = try PayloadCipher(
            file: file,
            environment: ["BELFRY_BACKEND_KEY": text.uppercased() + "\n"],
            isNew: false
        )
        #expect(try same.open(sealed, for: "here") == [1, 2, 3])
        #expect(throws: (any Error).self) { try same.open(sealed, for: "there") }
        #expect(!FileManager.default.fileExists(atPath: file))
        for wrong in ["", String(text.dropLast()), text + "0", String(repeating: "g", count: 64)] {
            #expect(throws: BackendError.self, "\(wrong)") {
                try PayloadCipher(
                    file: file,
                    environment: ["BELFRY_BACKEND_KEY": wrong],
                    isNew: true
                )
            }
        }
    }

    @Test("remembered passwords are as many as the limit, and for their seconds")
    func remembered() async throws {
        let it = try TemporaryStore { limits in
            limits.checks.rememberedMax = 2
            limits.checks.rememberedSeconds = 10
            limits.failures.perUserMax = 1
        }
        let authenticator = try UserAuthenticator(it.store, limits: it.limits)
        func enter(_ name: String, _ now: Int64) async throws -> Caller {
            let text = "\(name):password of \(name)"
            let header = "Basic " + Data(text.utf8).base64EncodedString()
            return try await authenticator.caller(authorization: header, address: "a", now: now)
        }
        for (name, count) in [("alice", 1), ("bob", 2), ("bob", 2), ("carol", 1)] {
            #expect(try await enter(name, 0).user.text == name)
            #expect(authenticator.knownCount == count, "\(name)")
        }
        // One that is still remembered does not count as an attempt; one that is not does.
        #expect(try await enter("carol", 9).user.text == "carol")
        #expect(try await enter("carol", 10).user.text == "carol")
    }

    @Test("checks have their places, all together and for each address but this machine's own")
    func places() async throws {
        let header = "Basic " + Data("alice:password of alice".utf8).base64EncodedString()
        for (most, waiting, own, address, expected) in [
            (1, -1, 9, "a", 503), (1, 0, 9, "a", nil), (1, 0, 0, "a", 503), (1, 0, 1, "a", nil),
            (1, 0, 0, "127.0.0.1", nil),
        ] as [(Int, Int, Int, String, Int?)] {
            let it = try TemporaryStore { limits in
                limits.checks.runningMax = most
                limits.checks.waitingMax = waiting
                limits.checks.perAddressMax = own
            }
            let authenticator = try UserAuthenticator(it.store, limits: it.limits)
            let status = await refusal {
                _ = try await authenticator.caller(authorization: header, address: address, now: 0)
            }
            #expect(status == expected, "\(most) \(waiting) \(own) \(address)")
        }
    }

    @Test("many guesses at once are no more than the limit, and one address leaves room for others")
    func guesses() async throws {
        let it = try TemporaryStore { limits in
            limits.failures.perUserMax = 3
            limits.checks.perAddressMax = 20
        }
        let authenticator = try UserAuthenticator(it.store, limits: it.limits)
        let statuses = await withTaskGroup(of: Int?.self) { group in
            for number in 0..<20 {
                group.addTask {
                    let header =
                        "Basic " + Data("alice:guess \(number)".utf8).base64EncodedString()
                    return await refusal {
                        _ = try await authenticator.caller(
                            authorization: header,
                            address: "a",
                            now: 0
                        )
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 401 } == 3, "\(statuses)")
        #expect(statuses.count { $0 == 429 } == 17, "\(statuses)")
    }
}
