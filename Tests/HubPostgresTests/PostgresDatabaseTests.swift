import HubModel
import HubPostgres
import HubTestSupport
import Testing

@Suite("Databases of hubs", .enabled(if: TemporaryPostgres.isInstalled))
struct PostgresDatabaseTests {
    private func open(_ url: String) throws -> PostgresDatabase {
        try PostgresDatabase(opening: PostgresAddress(url), limits: .patient)
    }

    @Test("nodes that start together make the tables once")
    func together() throws {
        let server = try TemporaryPostgres.shared.get()
        let url = try server.newDatabase()
        let nodes = (0..<4).map { _ in
            ThreadWork { try PostgresDatabase(opening: PostgresAddress(url), limits: .patient) }
        }
        for node in nodes { #expect(try node.value().settings.problem == nil) }
        let name = String(try #require(url.split(separator: "/").last))
        #expect(try server.query("SELECT count(*) FROM belfry.cluster", in: name) == "1")
    }

    @Test("tables of another release are refused")
    func otherRelease() throws {
        let server = try TemporaryPostgres.shared.get()
        let url = try server.newDatabase()
        let name = String(try #require(url.split(separator: "/").last))
        _ = try open(url)
        try server.query("UPDATE belfry.cluster SET schema = 5", in: name)
        let error = #expect(throws: PostgresError.self) { try open(url) }
        #expect(error == .unfit(.schema(found: 5, known: 4)))
        #expect(error?.storeError == .newerSchema(found: 5, known: 4))
    }

    @Test("a role that may make no schema uses the one that was made for it")
    func preparedSchema() throws {
        let server = try TemporaryPostgres.shared.get()
        let url = try server.newDatabase()
        let name = String(try #require(url.split(separator: "/").last))
        let role = "role_" + name
        try server.query("CREATE ROLE \(role) LOGIN", in: name)
        let own = url.replacing("//\(TemporaryPostgres.user)@", with: "//\(role)@")
        let error = #expect(throws: PostgresError.self) { try open(own) }
        guard case .refused(let refusal) = error else { throw try #require(error) }
        #expect(refusal.cause == .forbidden)
        try server.query("CREATE SCHEMA belfry AUTHORIZATION \(role)", in: name)
        #expect(try open(own).settings.problem == nil)
    }
}
