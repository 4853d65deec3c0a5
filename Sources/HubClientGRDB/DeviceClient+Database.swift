public import HubClient

extension DeviceClient {
    /// Starts a device of the hub that a connection file describes; it remembers in a database.
    ///
    /// - Throws: `.store` when another device works with the database, `.transport` when the hub's
    ///   address, Listen connection string or CA cannot be used.
    public convenience init(
        _ file: ConnectionFile,
        database: DeviceDatabase
    ) throws(DeviceFault) {
        try Self.use(database)
        do throws(DeviceFault) {
            try self.init(file, store: database, ownsStore: true)
        } catch {
            database.release()
            throw error
        }
    }

    /// Starts a device of a hub; it remembers in a database.
    ///
    /// - Parameters:
    ///   - hub: the hub's name.
    ///   - host: name or address of the device listener; the hub's certificate must be for it.
    ///   - port: its port.
    ///   - caPath: PEM file of the CA to trust instead of the system's.
    ///   - tokens: the right to connect for the first time; nil for a device that has an identity.
    ///   - database: where the device remembers.
    /// - Throws: as above.
    public convenience init(
        hub: String,
        host: String,
        port: UInt16,
        caPath: String? = nil,
        tokens: ListenTokens?,
        database: DeviceDatabase
    ) throws(DeviceFault) {
        try Self.use(database)
        do throws(DeviceFault) {
            try self.init(
                DeviceLoop.Configuration(host: host, port: port, caPath: caPath, tokens: tokens),
                session: LinkSession.Configuration(hub: hub),
                store: database,
                ownsStore: true
            )
        } catch {
            database.release()
            throw error
        }
    }

    private static func use(_ database: DeviceDatabase) throws(DeviceFault) {
        do throws(DeviceStoreError) {
            try database.use()
        } catch {
            throw .store(error)
        }
    }
}
