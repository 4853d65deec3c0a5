import Foundation
import GRDB
import HubModel
import HubVocabulary
import Testing

@testable import HubStore

/// A store of a made-up schema before today's, and the step that leads on from it.
enum OldStore {
    static let schema = SQLiteFile.schema - 1
    /// The schema of each of its files.
    static let all = Array(repeating: schema, count: 4)
    private static let departures = """
        CREATE TABLE departure(
            number INTEGER PRIMARY KEY, time INTEGER NOT NULL, body BLOB NOT NULL,
            checksum INTEGER NOT NULL
        ) STRICT;
        """

    /// What the step does when it reaches a file.
    static func step(
        _ hook: @escaping @Sendable (String) throws -> Void = { _ in }
    ) -> SchemaStep {
        SchemaStep(from: schema) { file, database in
            if file == RegistrationFile.name { try database.execute(sql: departures) }
            try hook(file)
        }
    }

    /// The golden store as it would have been without the journal of departures.
    static func fixture() throws -> StoreFixture {
        let fixture = try GoldenStore.fixture()
        try edit(fixture.path + "/" + RegistrationFile.name, "DROP TABLE departure")
        for name in try StoreFolder.storeFiles(in: fixture.path) {
            try edit(fixture.path + "/" + name, "PRAGMA user_version = \(schema)")
        }
        return fixture
    }

    /// Does what precedes the opening of a store.
    static func migrate(
        _ fixture: StoreFixture,
        _ step: SchemaStep = step()
    ) throws(StoreError) -> StoreEvent? {
        let folder = try StoreFolder(path: fixture.path)
        defer { folder.close() }
        var progress = OpeningProgress(fixture.limits) { _ in }
        return try StoreMigration.prepare(
            folder,
            limits: fixture.limits,
            steps: [step],
            &progress
        )
    }

    /// The copies that were kept.
    static func copies(_ fixture: StoreFixture) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: fixture.path)
            .filter { $0.contains("schema") }.map { fixture.path + "/" + $0 }
    }

    /// The schema of each file in a folder.
    static func schemas(_ folder: String) throws -> [Int] {
        try StoreFolder.storeFiles(in: folder).map { name in
            let queue = try DatabaseQueue(path: folder + "/" + name)
            defer { try? queue.close() }
            return try queue.inDatabase { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
        }
    }
}

@Suite("Files of an older schema")
struct StoreMigrationTests {
    /// Expects what the golden store holds, without its departures.
    private func expectGolden(
        _ fixture: StoreFixture,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let store = try #require(try fixture.reopen(epoch: 99) as? SQLiteStore)
        #expect(store.events == [], sourceLocation: sourceLocation)
        let fresh = try GoldenStore.fresh()
        var expected = try Contents(of: try fresh.reopen())
        expected.departures = []
        #expect(try Contents(of: store) == expected, sourceLocation: sourceLocation)
        let next = store.commit(changes: [], records: [GoldenStore.record(8)])
        #expect(next.records == nil, sourceLocation: sourceLocation)
        fixture.close()
    }

    @Test("are copied, brought up to date, and left alone from then on")
    func migrates() throws {
        let fixture = try OldStore.fixture()
        let event = try OldStore.migrate(fixture)
        let copies = try OldStore.copies(fixture)
        let copy = try #require(copies.first)
        #expect(copies.count == 1)
        #expect(event == .migrated(backup: copy))
        #expect(try OldStore.schemas(copy) == OldStore.all)
        #expect(try OldStore.schemas(fixture.path) == Array(repeating: SQLiteFile.schema, count: 4))
        #expect(try OldStore.migrate(fixture) == nil)
        try expectGolden(fixture)
        #expect(try OldStore.copies(fixture) == copies)
    }

    @Test(
        "are brought up to date after a crash between two of them, and copied only once",
        arguments: [SliceFile.name(1), SliceFile.name(2), RegistrationFile.name, StateFile.name]
    )
    func cutOff(at last: String) throws {
        let fixture = try OldStore.fixture()
        let step = OldStore.step { file in
            if file == last { throw StoreError.unavailable(reason: "cut off") }
        }
        #expect(throws: StoreError.unavailable(reason: "cut off")) {
            try OldStore.migrate(fixture, step)
        }
        #expect(try OldStore.schemas(fixture.path).contains(OldStore.schema))
        #expect(try OldStore.migrate(fixture) != nil)
        try expectGolden(fixture)
        let copies = try OldStore.copies(fixture)
        #expect(copies.count == 1)
        for copy in copies { #expect(try OldStore.schemas(copy) == OldStore.all) }
    }

    @Test("are copied again when the copy was cut off")
    func halfCopied() throws {
        let fixture = try OldStore.fixture()
        try FileManager.default.createDirectory(
            atPath: fixture.path + "/.schema",
            withIntermediateDirectories: true
        )
        try Data().write(to: URL(fileURLWithPath: fixture.path + "/.schema/state.sqlite"))
        #expect(try OldStore.migrate(fixture) != nil)
        try expectGolden(fixture)
        #expect(try OldStore.copies(fixture).count == 1)
    }

    @Test("are refused, and not touched, where no step leads on from their schema")
    func refused() throws {
        let fixture = try OldStore.fixture()
        for name in try StoreFolder.storeFiles(in: fixture.path) {
            try edit(fixture.path + "/" + name, "PRAGMA user_version = 2")
        }
        let refusal = StoreError.olderSchema(found: 2, known: SQLiteFile.schema)
        #expect(throws: refusal) { try fixture.reopen() }
        #expect(refusal.description.hasSuffix("move the folder away to start anew"))
        #expect(try OldStore.schemas(fixture.path) == [2, 2, 2, 2])
        #expect(try OldStore.copies(fixture) == [])
    }
}
