/// `cluster.json`: which database holds the hubs of a data folder, whose files are a copy then.
package struct ClusterFile: Codable, Equatable, Sendable {
    private static let name = "cluster.json"

    /// The database's own id.
    package let id: String
    /// Where it was, without a password.
    package let database: String

    /// Names a database.
    package init(id: String, database: String) {
        self.id = id
        self.database = database
    }

    /// Reads the file of a data folder; nil when its hubs are in its own files.
    package static func read(in data: String) throws(ServerError) -> ClusterFile? {
        try JSONFile.read(data + "/" + name)
    }

    /// Says it of a data folder, durably.
    package func write(to folder: DataFolder) throws(ServerError) {
        try JSONFile.write(self, to: folder.file(Self.name))
    }
}
