import Foundation
import HubHTTP

/// What operators want to know of the machine and the files that a server works with.
struct ServerReadings: Sendable {
    /// The folder whose disk is told; read at each reading.
    let folder: String
    /// When the certificate ends, in seconds since 1970.
    let certificateEnd: @Sendable () -> Int

    /// The release, the end of the certificate, and the room on the disk if the system tells it.
    func samples() -> [MetricSample] {
        var samples = [
            MetricSample.gauge("belfry_build_info", 1, ("version", Release.version)),
            .gauge("belfry_certificate_not_after_seconds", certificateEnd()),
        ]
        let disk = try? FileManager.default.attributesOfFileSystem(forPath: folder)
        if let free = disk?[.systemFreeSize] as? NSNumber {
            samples.append(.gauge("belfry_disk_free_bytes", free.intValue))
        }
        return samples
    }
}
