import Dispatch
import Foundation
import HubData
import HubDatabase
package import HubDoctor
import HubServer

/// Reads the facts of the database that holds a folder's hubs.
package enum ClusterReading {
    /// Returns them; nil where files hold the hubs, and where the settings cannot be read.
    package static func facts(of data: String) async -> ClusterFacts? {
        // A mistake in them is a finding of its own.
        let settings = try? await ServerSettings.load(flags: [:], data: data)
        guard let options = settings?.options.storage.database else { return nil }
        return await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: facts(options, folder: data))
            }
        }
    }

    private static func facts(_ options: DatabaseOptions, folder: String) -> ClusterFacts {
        var facts = ClusterFacts(database: options.shown)
        do throws(ServerError) {
            let before = milliseconds
            let health = try NodeHealth.read(options, folder: folder)
            let here = (before + milliseconds) / 2
            facts.clockMilliseconds = Int(health.clock) - here
            facts.keyFault = health.keyFault
            facts.synchronousNames = health.synchronousNames
            facts.standbys = Int(health.standbys)
            facts.synchronous = health.synchronous.map { Int($0) }
        } catch {
            facts.fault = "\(error)"
        }
        return facts
    }

    private static var milliseconds: Int { Int(Date().timeIntervalSince1970 * 1_000) }
}
