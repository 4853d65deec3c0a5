package import HubCluster
package import HubData
package import HubPostgres

/// Where the hubs are that a server keeps in PostgreSQL.
package struct DatabaseOptions: Sendable {
    /// The database, without a password.
    package var address: PostgresAddress
    /// A file with the password; nil leaves it to `PGPASSWORD`, `PGPASSFILE` and `~/.pgpass`.
    package var passwordFile: String?
    /// How long the database may take to answer.
    package var limits = PostgresLimits()
    /// How long threads wait for one that is away.
    package var logLimits = PostgresLogLimits()
    /// How long a lead lasts without its node.
    package var lease = LeaseLimits()
    /// Milliseconds for which the caller of a request waits for one that is away.
    package var callMilliseconds: UInt64 = 10_000

    /// Reads a URL.
    ///
    /// - Throws: `.database` for one that cannot be read, and for one with a password in it, which
    ///   lists of processes would show.
    package init(url: String, passwordFile: String?) throws(ServerError) {
        do throws(AddressProblem) {
            address = try PostgresAddress(url)
        } catch {
            throw .database(reason: "\(error)")
        }
        guard address.password == nil else {
            throw .database(
                reason: "the address holds a password, which lists of processes would show: give "
                    + "it in PGPASSWORD, or name its file with database.password.file"
            )
        }
        self.passwordFile = passwordFile
        // Another node may lead meanwhile, which the fence tells; giving up would help no caller.
        logLimits.resolving = nil
    }

    /// The address as it is shown.
    package var shown: String { address.description }

    /// The address with the password that its file holds now.
    func addressWithPassword() throws(ServerError) -> PostgresAddress {
        guard let passwordFile else { return address }
        guard let bytes = try DataFolder.read(passwordFile) else {
            throw .database(reason: "the file of the password, \(passwordFile), is missing")
        }
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        var address = address
        address.password = PostgresPassword(String(decoding: line, as: UTF8.self))
        return address
    }

    /// Opens the database.
    func open() throws(ServerError) -> PostgresDatabase {
        let address = try addressWithPassword()
        do throws(PostgresError) {
            return try PostgresDatabase(opening: address, limits: limits)
        } catch {
            throw .database(reason: error.description)
        }
    }

    /// Looks whether the server answers and may be trusted; changes nothing there.
    package func check() throws(ServerError) {
        let address = try addressWithPassword()
        do throws(PostgresError) {
            try PostgresConnection.trusted(address, limits: limits).close()
        } catch {
            throw .database(reason: error.description)
        }
    }
}
