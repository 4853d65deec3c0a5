import CPostgres

/// One connection to the primary, in pipeline mode; owned by one thread, which it blocks up to a
/// deadline.
///
/// While connecting, the resolver's time for a host's name comes on top. After `.lost` and
/// `.overdue` it is closed; the server notices that in its own time.
@safe package final class PostgresConnection {
    /// The host that accepted it.
    package let host: PostgresHost
    let limits: PostgresLimits
    private let password: PostgresPassword?
    /// For so long bytes may lie in TLS before they are looked for.
    private static let slice: Duration = .milliseconds(10)

    /// Owned; nil once closed.
    private var link: OpaquePointer?

    /// Connects to the first host that is a primary.
    /// - Throws: `.unreachable` with the reason of each, `.library`.
    package convenience init(
        to address: PostgresAddress,
        limits: PostgresLimits = PostgresLimits()
    ) throws(PostgresError) {
        try PostgresLibrary.load()
        var reasons: [String] = []
        for host in address.hosts {
            switch PostgresSocket.connect(to: host, of: address, limits) {
            case .connected(let link):
                unsafe self.init(owning: link, host, address.password, limits)
                return
            case .failed(let reason): reasons.append("\(host): \(reason)")
            }
        }
        throw .unreachable(reasons.joined(separator: "; "))
    }

    private init(
        owning link: OpaquePointer,
        _ host: PostgresHost,
        _ password: PostgresPassword?,
        _ limits: PostgresLimits
    ) {
        unsafe self.link = unsafe link
        self.host = host
        self.password = password
        self.limits = limits
    }

    deinit { close() }

    /// Whether commands can be sent.
    package var isOpen: Bool { unsafe link != nil }

    /// Ends the connection, and whatever is under way on it.
    package func close() {
        guard let open = unsafe link else { return }
        unsafe link = nil
        unsafe belfry_postgres_close(open)
    }

    // MARK: Commands

    /// Prepares statements, each once for a connection.
    package func prepare(_ statements: [PostgresStatement]) throws(PostgresError) {
        _ = try unsafe exchange(count: statements.count, within: limits.answering) { link in
            statements.allSatisfy { statement in
                // The texts are borrowed for the call, which copies them.
                unsafe belfry_postgres_prepare(link, statement.name, statement.sql) == 1
            }
        }
    }

    /// Carries out commands in one round trip and one transaction, unless they end it themselves.
    ///
    /// - Returns: the answer to each, in order.
    /// - Throws: `.refused` when none was carried out; with what `isInDoubt` is told, all may be.
    package func run(
        _ commands: [PostgresCommand],
        within limit: Duration? = nil
    ) throws(PostgresError) -> [PostgresRows] {
        try unsafe exchange(count: commands.count, within: limit ?? limits.answering) { link in
            commands.allSatisfy { command in
                // Everything is borrowed for the call, which copies it; a length for each value.
                unsafe belfry_postgres_send(
                    link,
                    command.text,
                    command.isPrepared ? 1 : 0,
                    Int32(command.values.lengths.count),
                    command.values.bytes,
                    command.values.lengths
                ) == 1
            }
        }
    }

    /// Carries out one command.
    package func run(
        _ command: PostgresCommand,
        within limit: Duration? = nil
    ) throws(PostgresError) -> PostgresRows {
        let answers = try run([command], within: limit)
        guard let rows = answers.first else { throw .shape("no answer") }
        return rows
    }

    /// Queues something and a sync, and reads until the sync was answered.
    private func exchange(
        count: Int,
        within limit: Duration,
        _ queue: (OpaquePointer) -> Bool
    ) throws(PostgresError) -> [PostgresRows] {
        guard let link = unsafe link else { throw .lost("it was closed before") }
        let deadline = ContinuousClock.now + limit
        // `link` is alive until `close`.
        let warnings = unsafe belfry_postgres_warnings(link)
        guard unsafe queue(link), unsafe belfry_postgres_sync(link) == 1 else {
            throw unsafe lose(link, PipelineAnswers())
        }
        var answers = PipelineAnswers()
        while !answers.isOver {
            let unsent = unsafe belfry_postgres_flush(link)
            guard unsent >= 0, unsafe answers.take(from: link) else {
                throw unsafe lose(link, answers)
            }
            if answers.isOver { break }
            guard ContinuousClock.now < deadline else {
                close()
                throw .overdue(limit)
            }
            // TLS may hold the rest of a record; the socket knows nothing of it any more.
            let slice = min(deadline, .now + Self.slice)
            _ = unsafe PostgresSocket.isReady(link, writing: unsent > 0, slice)
            if unsafe belfry_postgres_receive(link) == 0 {
                // What arrived before the end says why.
                _ = unsafe answers.take(from: link)
                throw unsafe lose(link, answers)
            }
        }
        if let refusal = answers.refusal { throw .refused(refusal) }
        guard unsafe belfry_postgres_warnings(link) == warnings else { throw .warned }
        guard answers.rows.count == count else {
            // All of them were carried out.
            close()
            throw .lost("\(answers.rows.count) answers to \(count) commands")
        }
        return answers.rows
    }

    /// Closes; with the server's reason, or else libpq's.
    private func lose(_ link: OpaquePointer, _ answers: PipelineAnswers) -> PostgresError {
        // `link` is alive until `close`.
        let reason = unsafe PostgresSocket.message(of: link, hiding: password)
        close()
        return answers.ending ?? .lost(reason)
    }
}
