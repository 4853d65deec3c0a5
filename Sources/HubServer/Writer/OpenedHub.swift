import HubDirectory
import HubModel
import HubTables
import HubVocabulary

/// Facts of an opened hub for the other threads.
struct OpenedHub: Sendable {
    var bounds: LogBounds
    /// The check value of the record at the head.
    var headCheck: UInt32
    var keyGenerations: [DeviceID: UInt32] = [:]
    var settings: HubSettings
    var reader: any LogReading
    /// Keys that are not read yet, and where they are; nil where the hub has them all.
    var unreadKeys: (keys: EarlierKeys, log: any KeyReading)?

    init(_ files: HubFiles) throws(StoreError) {
        bounds = files.storage.bounds
        settings = files.hub.settings
        reader = files.storage.reader
        unreadKeys = files.hub.unreadKeys.map { ($0, files.storage.keyReader) }
        headCheck = try reader.check(at: bounds.head) ?? 0
        var generations: [DeviceID: UInt32] = [:]
        try files.storage.forEachRevocation { generations[$0] = $1 }
        keyGenerations = generations
    }
}
