import HubClient

/// How a hub is started; what is nil it decides itself.
struct HubChoice: Sendable {
    var shards = 0
    var cpus: String?
    var records: String?
    var submission: String?

    func started() throws -> ChildHub {
        // The hub inherits the limit, and needs a file for each device as well.
        HubProcess.raiseOpenFileLimit(to: 1_048_576)
        var settings: [String: String] = [:]
        settings["BELFRY_DEVICE_RECORDS"] = records
        settings["BELFRY_DEVICE_SUBMISSION"] = submission
        return try ChildHub(shards: shards, cpus: cpus, settings: settings)
    }
}
