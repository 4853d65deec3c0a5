import HubCluster
import HubModel

// Every row as the item that stands for it in a database.
extension RegistrationFile {
    /// Calls `body` with all that holds now, tombstones included.
    func forEachItem(
        _ body: (ItemValue) throws(StoreError) -> Void
    ) throws(StoreError) {
        try file.forEach(RegistrationRow.table, "ORDER BY rid") { row in
            let registration = row.registration
            try body(
                row.deleted == 0
                    ? .registration(registration) : .tombstone(registration, gone: row.deleted)
            )
        }
        try file.forEach(Self.installationTable, "") { try body(.installation($0)) }
        try file.forEach(Self.scheduleTable, "") { try body(.schedule($0)) }
        try file.forEach(ScheduleKey.table, "") { try body(.scheduleKey($0.key, $0.id)) }
        try file.forEach(Self.cancelledTable, "") { try body(.cancelled($0)) }
        try file.forEach(Self.deviceTable, "") { try body(.generation($0.device, $0.generation)) }
        try file.forEach(Self.settingsTable, "") { try body(.settings($0)) }
        try file.forEach(Self.jobTable, "") { try body(.job($0)) }
        try file.forEach(Self.departureTable, "ORDER BY number") { try body(.departure($0)) }
    }
}
