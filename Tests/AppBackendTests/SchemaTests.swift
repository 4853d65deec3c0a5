import Foundation
import GRDB
import Testing

@testable import AppBackend

/// Files of older releases, and of newer ones.
@Suite("The backend's database from another release")
struct SchemaTests {
    /// The tables of the first release.
    private static let first = """
        CREATE TABLE setting (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;
        CREATE TABLE user (
            name TEXT PRIMARY KEY, hash TEXT NOT NULL, created INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE session (
            hash BLOB PRIMARY KEY,
            user TEXT NOT NULL REFERENCES user (name) ON DELETE CASCADE,
            expires INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX session_user ON session (user, expires);
        CREATE TABLE registration (
            id TEXT PRIMARY KEY,
            user TEXT NOT NULL REFERENCES user (name) ON DELETE CASCADE,
            handle TEXT, platform TEXT, changed INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX registration_user ON registration (user, changed);
        CREATE INDEX registration_handle ON registration (handle);
        CREATE TABLE departing (id TEXT PRIMARY KEY) STRICT;
        CREATE TABLE gone (user TEXT PRIMARY KEY) STRICT;
        CREATE TABLE content (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            recipient TEXT NOT NULL REFERENCES user (name) ON DELETE CASCADE,
            is_secure INTEGER NOT NULL, message TEXT NOT NULL, rich_type TEXT NOT NULL,
            media_type TEXT NOT NULL, payload BLOB NOT NULL, etag TEXT NOT NULL,
            is_read INTEGER NOT NULL, created INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX content_recipient ON content (recipient, id);
        PRAGMA application_id = 0x424C4642;
        PRAGMA user_version = 1;
        """

    /// A folder with a database, which goes with the test.
    private final class Place {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("belfry-schema-\(UUID().uuidString)").path
        var path: String { folder + "/backend.sqlite" }

        init(_ sql: String) throws {
            try BackendFolder.make(folder)
            let queue = try DatabaseQueue(path: path)
            try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
            try queue.close()
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }
    }

    @Test("a file of the first release goes on with everything in it, and a copy of it stays")
    func migrates() async throws {
        let hash = try PasswordHash(Array("password of alice".utf8), cost: TemporaryStore.cost)
        let place = try Place(
            Self.first + """
                INSERT INTO user VALUES ('alice', '\(hash.text)', 5), ('bob', 'x', 6);
                INSERT INTO session VALUES (x'0102', 'alice', 9);
                INSERT INTO registration VALUES ('1-2-3', 'alice', 'ab', 'apns', 7);
                INSERT INTO content VALUES
                    (3, 'alice', 0, 'look', 'img', 'image/png', x'01020304', 'e', 0, 100),
                    (9, 'bob', 1, '', '', '', x'05', 'f', 1, 100);
                DELETE FROM content WHERE id = 9;
                """
        )
        for start in 1...2 {
            let store = try BackendStore(path: place.path)
            let stored = try await store.password(of: UserName("alice"))
            #expect(stored == StoredPassword(hash: hash.text, generation: 0), "\(start)")
            let limits = BackendLimits.standard
            let content = try #require(try await store.content(id: 3, limits: limits, now: 101))
            #expect(content.payloadBytes == 4 && content.message == "look")
            let payload = try await store.payload(of: 3, 0..<4)
            #expect(payload == Data([1, 2, 3, 4]))
            #expect(try await store.payload(of: 3, 1..<3) == Data([2, 3]))
            #expect(content.recipient.text == "alice" && !content.isRead)
            let (version, sum) = try await store.pool.read { database in
                (
                    try Int.fetchOne(database, sql: "PRAGMA user_version"),
                    try Int.fetchOne(database, sql: "SELECT bytes FROM content_sum")
                )
            }
            #expect(version == BackendStore.schema && sum == 4)
            let new = try TemporaryStore(users: [])
            #expect(try await Self.names(store) == Self.names(new.store))
            store.close()
        }
        #expect(try await Self.nextID(place.path) == 10)
        let copy = BackendStore.copyPath(of: place.path, schema: 1)
        let attributes = try FileManager.default.attributesOfItem(atPath: copy)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        let old = try DatabaseQueue(path: copy)
        let kept = try await old.read { database in
            try Row.fetchOne(database, sql: "SELECT payload FROM content WHERE id = 3") != nil
        }
        #expect(kept)
        try old.close()
        let names = try FileManager.default.contentsOfDirectory(atPath: place.folder)
        #expect(names.filter { $0.contains("schema") } == ["backend.sqlite.schema-1"])
    }

    private static func names(_ store: BackendStore) async throws -> [String] {
        try await store.pool.read { database in
            try String.fetchAll(
                database,
                sql: "SELECT name FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name"
            )
        }
    }

    /// The id of new content; that of what was deleted is not given again.
    private static func nextID(_ path: String) async throws -> Int64 {
        let store = try BackendStore(path: path)
        defer { store.close() }
        return try await store.pool.write { database in
            try database.execute(
                sql: """
                    INSERT INTO content (sender, recipient, is_secure, message, rich_type,
                        media_type, etag, bytes, is_read, created)
                        VALUES ('bob', 'alice', 0, '', '', '', '', 0, 0, 0)
                    """
            )
            return database.lastInsertedRowID
        }
    }

    @Test("a file of today's layout with the first number only gets today's")
    func renumbers() async throws {
        let it = try TemporaryStore()
        try await it.give(7, from: "alice", to: "bob")
        try await it.store.pool.write { try $0.execute(sql: "PRAGMA user_version = 1") }
        it.store.close()
        let store = try BackendStore(path: it.path + "/backend.sqlite")
        let (version, count) = try await store.pool.read { database in
            (
                try Int.fetchOne(database, sql: "PRAGMA user_version"),
                try Int.fetchOne(database, sql: "SELECT count(*) FROM payload")
            )
        }
        #expect(version == BackendStore.schema && count == 1)
        store.close()
    }

    @Test("a file of a newer release is refused with both numbers, and not touched")
    func newer() throws {
        let place = try Place(
            Self.first + "PRAGMA user_version = \(BackendStore.schema + 1);"
        )
        let before = FileManager.default.contents(atPath: place.path)
        let error = #expect(throws: BackendError.self) { try BackendStore(path: place.path) }
        #expect(error?.description.contains("layout \(BackendStore.schema + 1)") == true)
        #expect(error?.description.contains("knows \(BackendStore.schema)") == true)
        let queue = try DatabaseQueue(path: place.path)
        let version = try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
        #expect(version == BackendStore.schema + 1 && before?.isEmpty == false)
        try queue.close()
        let names = try FileManager.default.contentsOfDirectory(atPath: place.folder)
        #expect(!names.contains { $0.contains("schema") })
    }

    @Test(
        "another program's file is refused",
        arguments: [
            "CREATE TABLE a (b)", "CREATE TABLE a (b); PRAGMA user_version = 1",
            "PRAGMA application_id = 0x424C4642; CREATE TABLE a (b)", "PRAGMA user_version = 7",
        ]
    )
    func foreign(_ sql: String) throws {
        let place = try Place(sql)
        let error = #expect(throws: BackendError.self, "\(sql)") {
            try BackendStore(path: place.path)
        }
        #expect(error?.description.contains("another program") == true)
    }
}
