import Foundation
import HubPostgres
import HubTestSupport
import Testing

@Suite("Connections to PostgreSQL", .enabled(if: TemporaryPostgres.isInstalled))
struct PostgresConnectionTests {
    private func connect(
        _ url: String? = nil,
        _ limits: PostgresLimits = .patient
    ) throws -> PostgresConnection {
        let url = try url ?? TemporaryPostgres.shared.get().url()
        return try PostgresConnection(to: PostgresAddress(url), limits: limits)
    }

    /// What connecting ends with, in words.
    private func refusal(of url: String, _ limits: PostgresLimits = .patient) throws -> String {
        let address = try PostgresAddress(url)
        do throws(PostgresError) {
            _ = try PostgresConnection(to: address, limits: limits)
            return ""
        } catch {
            guard case .unreachable(let reasons) = error else { throw error }
            return reasons
        }
    }

    @Test("values of every type go there and come back")
    func values() throws {
        let connection = try connect()
        let rows = try connection.run(
            PostgresCommand(
                sql: """
                    SELECT $1::int8, $2::int4, $3::bytea, $4::text, $5::int8, $6::int8[]::text,
                        $7::int2[]::text, $8::bytea[]::text, $9::int8[]::text, true, 1::int2
                    """
            ) { values in
                values.append(Int64.min)
                values.append(Int32(-7))
                values.append([0, 1, 255] as [UInt8])
                values.append("ein Glöckchen")
                values.appendNull()
                values.append([1, nil, UInt64(Int64.max)])
                values.append([Int16.min, 3])
                values.append([[], [0xAB]] as [[UInt8]])
                values.append([UInt64?]())
            }
        )
        #expect(rows.count == 1)
        #expect(try rows.integer(0, 0) == .min)
        #expect(try rows.integer(0, 1) == -7)
        #expect(try rows.bytes(0, 2) == [0, 1, 255])
        #expect(try rows.text(0, 3) == "ein Glöckchen")
        #expect(try rows.isNull(0, 4))
        #expect(try rows.text(0, 5) == "{1,NULL,9223372036854775807}")
        #expect(try rows.text(0, 6) == "{-32768,3}")
        #expect(try rows.text(0, 7) == "{\"\\\\x\",\"\\\\xab\"}")
        #expect(try rows.text(0, 8) == "{}")
        #expect(try rows.integer(0, 9) == 1 && rows.integer(0, 10) == 1)
        #expect(throws: PostgresError.self) { try rows.bytes(0, 4) }
        #expect(throws: PostgresError.self) { try rows.bytes(0, 11) }
        #expect(throws: PostgresError.self) { try rows.bytes(1, 0) }
        #expect(throws: PostgresError.self) { try rows.number(0, 1) }
    }

    @Test("a pipeline is one transaction, and one that was refused leaves nothing behind")
    func pipeline() throws {
        let connection = try connect(try TemporaryPostgres.shared.get().newDatabase())
        _ = try connection.run(PostgresCommand(sql: "CREATE TABLE t(n int8 PRIMARY KEY)"))
        let insert = PostgresStatement("insert", "INSERT INTO t SELECT unnest($1::int8[])")
        let divide = PostgresStatement("divide", "SELECT 1 / (SELECT count(*)::int FROM t)")
        try connection.prepare([insert, divide])
        let error = #expect(throws: PostgresError.self) {
            try connection.run([
                PostgresCommand(insert) { $0.append([1, 2] as [UInt64?]) },
                PostgresCommand(sql: "SELECT 1 / 0"),
                PostgresCommand(insert) { $0.append([3] as [UInt64?]) },
            ])
        }
        guard case .refused(let refusal) = error else { throw try #require(error) }
        #expect(refusal.cause == .fence && refusal.state == "22012")
        let answers = try connection.run([
            PostgresCommand(insert) { $0.append([UInt64?](repeating: nil, count: 0)) },
            PostgresCommand(sql: "SELECT count(*) FROM t"),
            PostgresCommand(insert) { $0.append([4, 5, 6] as [UInt64?]) },
            PostgresCommand(sql: "SELECT n FROM t ORDER BY n"),
        ])
        #expect(answers.map(\.changed) == [0, 1, 3, 3])
        #expect(try answers[1].integer(0, 0) == 0)
        #expect(try (0..<3).map { try answers[3].number($0, 0) } == [4, 5, 6])
        let twice = #expect(throws: PostgresError.self) {
            try connection.run(PostgresCommand(insert) { $0.append([4] as [UInt64?]) })
        }
        guard case .refused(let again) = twice else { throw try #require(twice) }
        #expect(again.cause == .alreadyThere && !again.message.contains("4"))
        #expect(connection.isOpen)
    }

    @Test("megabytes go both ways at once")
    func large() throws {
        let connection = try connect()
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let command = PostgresCommand(sql: "SELECT $1::bytea") { $0.append(bytes) }
        for rows in try connection.run([command, command, command], within: .seconds(60)) {
            #expect(try rows.bytes(0, 0) == bytes)
        }
    }

    @Test("what takes too long is given up and in doubt")
    func overdue() throws {
        let connection = try connect()
        let limit = Duration.milliseconds(50)
        #expect(throws: PostgresError.overdue(limit)) {
            try connection.run(PostgresCommand(sql: "SELECT pg_sleep(600)"), within: limit)
        }
        #expect(!connection.isOpen && PostgresError.overdue(limit).isInDoubt)
        #expect(throws: PostgresError.self) { try connection.run(PostgresCommand(sql: "SELECT")) }
    }

    @Test("a connection that the server ends is lost, with the server's reason")
    func lost() throws {
        let (victim, other) = (try connect(), try connect())
        let pid = try victim.run(PostgresCommand(sql: "SELECT pg_backend_pid()")).integer(0, 0)
        let error = #expect(throws: PostgresError.self) {
            try victim.run([
                PostgresCommand(sql: "SELECT pg_terminate_backend(pg_backend_pid())"),
                PostgresCommand(sql: "SELECT pg_sleep(600)"),
            ])
        }
        guard case .lost(let reason) = error else { throw try #require(error) }
        #expect(reason.contains("57P01") && !victim.isOpen)
        let alive = PostgresCommand(sql: "SELECT FROM pg_stat_activity WHERE pid = $1::int8") {
            $0.append(pid)
        }
        try eventually(blocking: "the end of the session") { try other.run(alive).count == 0 }
    }

    @Test("a warning puts what was done in doubt")
    func warned() throws {
        let connection = try connect()
        #expect(throws: PostgresError.warned) {
            try connection.run(PostgresCommand(sql: "DO $$ BEGIN RAISE WARNING 'x'; END $$"))
        }
        #expect(try connection.run(PostgresCommand(sql: "SELECT 1")).integer(0, 0) == 1)
        _ = try connection.run(PostgresCommand(sql: "DO $$ BEGIN RAISE NOTICE 'x'; END $$"))
    }

    @Test("a password opens TCP, and a wrong one is not told")
    func passwords() throws {
        let server = try TemporaryPostgres.shared.get()
        let place = "127.0.0.1:\(server.port)/postgres"
        let secret = TemporaryPostgres.password
            .addingPercentEncoding(withAllowedCharacters: .alphanumerics)
        let user = TemporaryPostgres.user
        #expect(try connect("postgres://\(user):\(try #require(secret))@\(place)").isOpen)
        let wrong = try refusal(of: "postgres://\(user):hunter2@\(place)")
        #expect(wrong.contains("28P01") || wrong.contains("password authentication failed"))
        #expect(!wrong.contains("hunter2"))
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path,
            withIntermediateDirectories: true
        )
        try folder.write("*:*:*:*:\(TemporaryPostgres.password)", to: "pass")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600],
            ofItemAtPath: folder.file("pass")
        )
        #expect(try connect("postgres://\(user)@\(place)?passfile=\(folder.file("pass"))").isOpen)
        var address = try PostgresAddress("postgres://\(user)@\(place)")
        address.password = PostgresPassword(TemporaryPostgres.password)
        #expect(try PostgresConnection(to: address, limits: .patient).isOpen)
    }

    @Test("hosts are tried in turn, and each says why it was not taken")
    func hosts() throws {
        let server = try TemporaryPostgres.shared.get()
        let silent = try SilentListener()
        let socket = server.folder
        let connection = try connect(
            "postgres:///postgres?host=/nowhere,\(socket)&port=\(server.port)"
                + "&user=\(TemporaryPostgres.user)"
        )
        #expect(connection.host.name == socket)
        var limits = PostgresLimits()
        limits.connecting = .milliseconds(100)
        let said = try refusal(of: "postgres://127.0.0.1:1,127.0.0.1:\(silent.port)/hub", limits)
        #expect(said.contains("127.0.0.1:1: ") && said.contains("refused"))
        #expect(said.contains("127.0.0.1:\(silent.port): no answer within"))
        #expect(try refusal(of: server.url("postgres") + "?nonsense=1").contains("nonsense"))
    }

    @Test("another machine has to prove who it is, unless the URL says otherwise")
    func remote() throws {
        // Every address of the loopback network is this machine's; one of them is taken for local.
        let server = try TemporaryPostgres(["listen_addresses=127.0.0.1,127.0.0.2"])
        let url = "postgres://\(TemporaryPostgres.user)@127.0.0.2:\(server.port)/postgres"
        #expect(try refusal(of: url).contains("SSL was required"))
        #expect(try !refusal(of: url + "?sslmode=disable").contains("SSL"))
        let local = "postgres://\(TemporaryPostgres.user):x@127.0.0.1:\(server.port)/postgres"
        #expect(try refusal(of: local).contains("password authentication failed"))
    }

    @Test("answers of every length arrive whole, however large the records of TLS are")
    func sealed() throws {
        let front = try TLSFront(of: try TemporaryPostgres.shared.get())
        let user = TemporaryPostgres.user
        let connection = try connect(
            "postgres://\(user)@127.0.0.1:\(front.port)/postgres?sslmode=require"
        )
        let sql = "SELECT repeat('x', 3000) FROM generate_series(1, $1::int8)"
        let command = PostgresStatement("long", sql)
        try connection.prepare([command])
        for count in 1...40 {
            let rows = try connection.run(PostgresCommand(command) { $0.append(Int64(count)) })
            #expect(rows.count == count)
        }
    }

    @Test("another machine is taken with a certificate of its name, and with no other")
    func named() throws {
        let folder = try TLSFront.makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let files = try TLSFront.makeCertificate(for: "IP:127.0.0.2", in: folder)
        let server = try TemporaryPostgres([
            "listen_addresses=127.0.0.1,127.0.0.2,127.0.0.3", "ssl=on",
            "ssl_key_file=\(files.key)", "ssl_cert_file=\(files.certificate)",
        ])
        func address(_ host: String) -> String {
            "postgres://\(TemporaryPostgres.user)@\(host):\(server.port)/postgres"
                + "?sslrootcert=\(files.certificate)"
        }
        // Only behind the handshake it asks for the password.
        let (right, wrong) = (
            try refusal(of: address("127.0.0.2")), try refusal(of: address("127.0.0.3"))
        )
        #expect(right.contains("no password supplied"), "\(right)")
        #expect(wrong.contains("does not match host name"), "\(wrong)")
    }
}

extension PostgresLimits {
    /// For a busy machine.
    static var patient: PostgresLimits {
        var limits = PostgresLimits()
        limits.connecting = .seconds(60)
        limits.answering = .seconds(60)
        return limits
    }
}
