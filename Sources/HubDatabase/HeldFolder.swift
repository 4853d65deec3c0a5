package import HubCluster
package import HubData
package import Logging

/// A data folder that this process holds, and the database that has its hubs.
package struct HeldFolder: Sendable {
    /// The folder, locked.
    package let folder: DataFolder
    /// nil where the hubs are in the folder's own files.
    package let database: ServerDatabase?

    /// Locks a folder and opens its database; other nodes reach this one at `place`, and must have its
    /// shape.
    package init(
        _ path: String,
        _ storage: StorageOptions,
        place: NodePlace,
        shape: NodeShape,
        logger: Logger
    ) throws(ServerError) {
        folder = try DataFolder(path: path)
        database = try ServerDatabase.open(
            storage,
            for: folder,
            place: place,
            shape: shape,
            logger: logger
        )
    }

    /// Lets other nodes lead, and other processes hold the folder.
    package func release() {
        database?.release()
        folder.release()
    }
}
