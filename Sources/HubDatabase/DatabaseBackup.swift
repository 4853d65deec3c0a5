package import HubData
import HubModel
import HubPostgres
import HubStore
import HubVocabulary

/// The backup of a data folder whose hubs are in a database: their files, made of what that holds.
package enum DatabaseBackup {
    /// Backs a data folder up, also while its server runs.
    ///
    /// It is one moment of each hub, with everything that was answered 201 before, and is restored
    /// into files.
    /// - Throws: what `DataBackup.make` throws, and `.database`.
    package static func make(
        of data: String,
        to destination: String,
        from options: DatabaseOptions?,
        progress: @escaping (String) -> Void
    ) throws(ServerError) -> DataBackup {
        guard let known = try ClusterFile.read(in: data), let options else {
            return try DataBackup.make(of: data, to: destination, progress: progress)
        }
        let database = try options.open()
        guard database.id == known.id else {
            throw .database(reason: "the hubs of \(data) are in another: \(known.database)")
        }
        return try DataBackup.make(of: data, to: destination) {
            name,
            source,
            target throws(ServerError) in
            do throws(StoreError) {
                let groups = try reading(of: name, in: database, keys: source)
                return try StoreBackup.make(of: groups, in: target) { step in
                    progress("\(name): \(step)")
                } checkpoints: { body throws(StoreError) in
                    try groups.checkpoints(body)
                }
            } catch {
                throw .store(hub: name, reason: error.description)
            }
        }
    }

    private static func reading(
        of name: String,
        in database: PostgresDatabase,
        keys folder: String
    ) throws(StoreError) -> PostgresGroupReading {
        let secret: HubSecret?
        do throws(ServerError) {
            secret = try HubFolders.secret(in: folder)
        } catch {
            throw .corrupted(error.description)
        }
        guard let hub = HubName(name), let secret else { throw .corrupted("\(folder) has no keys") }
        do throws(PostgresError) {
            let name = secret.databaseName(of: hub)
            let found = try PostgresGroupReading.of(name, in: database)
            guard let found else { throw .shape("the database has no hub '\(name)'") }
            return found
        } catch {
            throw error.storeError
        }
    }
}
