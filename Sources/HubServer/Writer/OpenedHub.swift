import HubDirectory
import HubModel
import HubVocabulary

/// Facts of an opened hub for the other threads.
struct OpenedHub: Sendable {
    var bounds: LogBounds
    /// The check value of the record at the head.
    var headCheck: UInt32
    var keyGenerations: [DeviceID: UInt32] = [:]
    var settings: HubSettings
    var reader: any LogReading

    init(_ files: HubFiles) throws(StoreError) {
        bounds = files.storage.bounds
        settings = files.hub.settings
        reader = files.storage.reader
        headCheck = try reader.check(at: bounds.head) ?? 0
        var generations: [DeviceID: UInt32] = [:]
        try files.storage.forEachRevocation { generations[$0] = $1 }
        keyGenerations = generations
    }
}
