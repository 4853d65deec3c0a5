import HubPostgres
import HubTestSupport
import Testing

@Suite("Servers that may keep a hub")
struct PostgresSettingsTests {
    private let sound = PostgresSettings(
        version: 140_000,
        fsync: "on",
        fullPageWrites: "on",
        synchronousCommit: "on",
        synchronousStandbys: ""
    )

    @Test("the oldest release is taken, and the one before is not")
    func version() {
        #expect(sound.problem == nil)
        var old = sound
        old.version = 139_999
        #expect(old.problem == .version(139_999))
        #expect("\(ServerProblem.version(139_999))".contains("release 14 or newer is needed"))
    }

    @Test(
        "a commit has to be on the primary's disk and on its standby's",
        arguments: ["off", "local", "remote_write", "on", "remote_apply"]
    )
    func levels(level: String) {
        var settings = sound
        settings.synchronousCommit = level
        let isFit = level == "on" || level == "remote_apply"
        #expect((settings.problem == nil) == isFit)
    }

    @Test(
        "a server that may lose commits is refused with what to change",
        .enabled(if: TemporaryPostgres.isInstalled),
        arguments: ["fsync", "full_page_writes", "synchronous_commit"]
    )
    func refuses(name: String) throws {
        let server = try TemporaryPostgres(["\(name)=off"])
        let error = #expect(throws: PostgresError.self) {
            try PostgresConnection.trusted(PostgresAddress(server.url()), limits: .patient)
        }
        #expect(error == .unfit(.setting(name, value: "off", needed: "on")))
        #expect(
            error?.description == "PostgreSQL runs with \(name) = off and may lose what it has "
                + "committed: set \(name) = on"
        )
    }

    @Test(
        "a role or a URL that weakens commits is refused too",
        .enabled(if: TemporaryPostgres.isInstalled)
    )
    func sessions() throws {
        let server = try TemporaryPostgres.shared.get()
        let address = try PostgresAddress(server.url() + "?options=-csynchronous_commit%3Dlocal")
        #expect(
            throws: PostgresError.unfit(
                .setting("synchronous_commit", value: "local", needed: "on")
            )
        ) { try PostgresConnection.trusted(address, limits: .patient) }
        let connection = try PostgresConnection.trusted(
            PostgresAddress(server.url()),
            limits: .patient
        )
        let settings = try connection.settings()
        #expect(settings.problem == nil && settings.version >= 140_000)
    }

    @Test(
        "a session keeps the level that was checked",
        .enabled(if: TemporaryPostgres.isInstalled)
    )
    func keepsItsLevel() throws {
        let server = try TemporaryPostgres()
        let address = try PostgresAddress(server.url())
        let connection = try PostgresConnection.trusted(address, limits: .patient)
        try server.query("ALTER SYSTEM SET synchronous_commit = off")
        try server.reload()
        try eventually(blocking: "a new session with the weaker level") {
            try server.query("SHOW synchronous_commit") == "off"
        }
        #expect(try connection.settings().synchronousCommit == "on")
    }

    @Test(
        "the server gives up what its caller no longer waits for",
        .enabled(if: TemporaryPostgres.isInstalled)
    )
    func abandons() throws {
        let server = try TemporaryPostgres.shared.get()
        var limits = PostgresLimits.patient
        limits.answering = .seconds(15)
        let address = try PostgresAddress(server.url())
        let connection = try PostgresConnection.trusted(address, limits: limits)
        let error = #expect(throws: PostgresError.self) {
            try connection.run(PostgresCommand(sql: "SELECT pg_sleep(600)"), within: .seconds(120))
        }
        guard case .refused(let refusal) = error else { throw try #require(error) }
        #expect(refusal.state == "57014" && connection.isOpen)
    }
}
