import CommandTerminal
import DeviceEmulator
import HubClient

/// How a hub is started; what is nil it decides itself.
struct HubChoice: Sendable {
    var shards = 0
    var cpus: String?
    var records: String?
    var submission: String?

    /// A hub of its own, in a folder of its own.
    func started() async throws -> ChildHub {
        // The hub inherits the limit, and needs a file for each device as well.
        HubProcess.raiseOpenFileLimit(to: 1_048_576)
        var options = ChildHub.Options()
        options.shards = shards
        options.cpus = cpus
        options.environment["BELFRY_DEVICE_RECORDS"] = records
        options.environment["BELFRY_DEVICE_SUBMISSION"] = submission
        do {
            return try await ChildHub(.own(), options)
        } catch {
            throw Failure(error)
        }
    }
}
