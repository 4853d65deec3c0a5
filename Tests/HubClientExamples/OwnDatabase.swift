import GRDB
import HubClient
import HubClientGRDB

/// What the app keeps of a notification.
struct News: Codable, FetchableRecord, PersistableRecord {
    var id: String
    var text: String

    static func createTable(in database: Database) throws {
        try database.create(table: "news", options: .ifNotExists) { table in
            table.primaryKey("id", .text)
            table.column("text", .text).notNull()
        }
    }
}

/// A device that remembers in the app's own database.
///
/// What arrives and the device's place in the hub's log are one transaction, so each notification
/// is in the table once, whatever crashes, and none waits to be taken.
func newsDevice(_ file: ConnectionFile, _ database: DatabasePool) throws -> DeviceClient {
    try database.write { database in try News.createTable(in: database) }
    let memory = try DeviceDatabase(database) { database, notifications in
        for notification in notifications {
            try News(id: notification.id.uuidText, text: notification.alert ?? "").insert(database)
        }
    }
    let device = try DeviceClient(file, database: memory)
    device.register(RegistrationChoice(platform: .apple, tags: ["World"]))
    return device
}
