import Foundation
import GRDB
import Testing

@testable import AppBackend

/// Files with other layouts, and of other programs.
@Suite("The backend's database from another release")
struct SchemaTests {
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

    @Test(
        "a file of another layout is refused with both numbers, and not touched",
        arguments: [
            (BackendStore.schema + 1, "start that release"),
            (BackendStore.schema - 1, "move the file away"),
        ]
    )
    func otherLayout(_ schema: Int, _ advice: String) throws {
        let place = try Place(
            """
            CREATE TABLE user (name TEXT PRIMARY KEY);
            PRAGMA application_id = 0x424C4642;
            PRAGMA user_version = \(schema);
            """
        )
        let error = #expect(throws: BackendError.self) { try BackendStore(path: place.path) }
        #expect(error?.description.contains("layout \(schema)") == true)
        #expect(error?.description.contains("knows \(BackendStore.schema)") == true)
        #expect(error?.description.contains(advice) == true)
        let queue = try DatabaseQueue(path: place.path)
        let (version, tables) = try queue.read { database in
            (
                try Int.fetchOne(database, sql: "PRAGMA user_version"),
                try String.fetchAll(
                    database,
                    sql: "SELECT name FROM sqlite_schema WHERE type = 'table'"
                )
            )
        }
        #expect(version == schema && tables == ["user"])
        try queue.close()
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
