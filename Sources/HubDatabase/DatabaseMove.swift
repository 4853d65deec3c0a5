import Foundation
import HubCluster
package import HubData
import HubModel
import HubPostgres
import HubStore
import HubVocabulary

/// The move of a stopped server's hubs from files into a database.
///
/// The files are the truth until the end, and a move that was cut off begins anew. At the end
/// `cluster.json` makes them a copy; only then the database's hubs are whole, and can be served.
package enum DatabaseMove {
    /// Moves every hub of a data folder into the database that `options` name.
    ///
    /// - Returns: the sum of what each hub has, as it was read back from the database.
    /// - Throws: with what to do; the folder still serves its files then.
    package static func run(
        from text: String,
        to options: DatabaseOptions?,
        progress: @escaping (String) -> Void
    ) throws(ServerError) -> [MovedHub] {
        guard let place = options else { throw .database(reason: "name it with --database") }
        let data = DataBackup.absolute(text)
        guard FileManager.default.fileExists(atPath: data + "/namespace.json") else {
            throw .folder(path: data, reason: "is not a data folder of belfry")
        }
        let folder = try DataFolder(path: data)
        defer { folder.release() }
        let database = try place.open()
        let hubs = try HubKeys(folder: folder, hubs: []).hubs
        let names = hubs.map { $0.secret.databaseName(of: $0.name) }
        try prepare(database, names: names, of: folder)
        var moved: [MovedHub] = []
        for (hub, name) in zip(hubs, names) {
            let path = folder.file("hubs/\(hub.name)")
            do throws(StoreError) {
                let store = try SQLiteStore(
                    folder: path,
                    epochSeed: UInt64.random(in: 1...UInt64.max)
                )
                defer { store.close() }
                let log = try PostgresGroupLog(
                    leading: name,
                    in: database,
                    isWhole: false,
                    limits: place.logLimits
                )
                defer { log.close() }
                var move = HubMove(hub.name.description, store, to: log) { step in
                    progress("\(hub.name): \(step)")
                }
                moved.append(try move.run())
            } catch {
                throw .store(hub: hub.name.description, reason: error.description)
            }
        }
        try ClusterFile(id: database.id, database: "\(database.address)").write(to: folder)
        try ServerError.ofDatabase { () throws(PostgresError) in try database.completeHubs(names) }
        return moved
    }

    /// Refuses a database in which hubs are served already, and removes what an earlier move left.
    private static func prepare(
        _ database: PostgresDatabase,
        names: [String],
        of folder: DataFolder
    ) throws(ServerError) {
        let known = try ClusterFile.read(in: folder.path)
        guard known == nil || known?.id == database.id else {
            throw .folder(path: folder.path, reason: "its hubs are in another database")
        }
        let (lead, _) = try ServerError.ofDatabase { () throws(PostgresError) in
            try database.nodes()
        }
        guard !lead.isHeld else {
            let reason =
                "\(lead.node) at \(lead.address) leads \(database.address): end every node of it first"
            throw .database(reason: reason)
        }
        let found = try ServerError.ofDatabase { () throws(PostgresError) in try database.hubs() }
        for hub in found where hub.isWhole || !names.contains(hub.name) {
            let reason =
                known == nil
                ? "\(database.address) holds hubs already: give an empty database"
                : "the hubs of \(folder.path) are in the database already"
            throw .database(reason: reason)
        }
        guard known == nil || !found.isEmpty || names.isEmpty else {
            throw .database(reason: "the database has lost the hubs of \(folder.path)")
        }
        for hub in found {
            try ServerError.ofDatabase { () throws(PostgresError) in try database.remove(hub.name) }
        }
    }
}
