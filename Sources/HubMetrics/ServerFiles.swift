import Foundation
package import HubHTTP
package import HubVocabulary

/// The release, and the state of the files that a server works with.
package struct ServerFiles: Sendable {
    /// The folder whose disk is told; read at each reading.
    package let folder: String
    /// When the certificate ends, in seconds since 1970.
    let certificateEnd: @Sendable () -> Int

    /// Whether a certificate's end is known: an unreadable one has none.
    package var knownCertificateEnd: Timestamp? {
        let seconds = certificateEnd()
        return seconds > 0 ? Timestamp(milliseconds: UInt64(seconds) * 1_000) : nil
    }

    /// The release, the end of the certificate, and the room on the disk if the system tells it.
    func samples() -> [MetricSample] {
        var samples = [
            MetricSample.gauge("belfry_build_info", 1, ("version", Release.version)),
            .gauge("belfry_certificate_not_after_seconds", certificateEnd()),
        ]
        // A disk that does not tell its room has no series.
        let disk = try? FileManager.default.attributesOfFileSystem(forPath: folder)
        if let free = disk?[.systemFreeSize] as? NSNumber {
            samples.append(.gauge("belfry_disk_free_bytes", free.intValue))
        }
        return samples
    }
}

extension ServerFiles {
    /// Reads the disk of `folder`, and the certificate that REST shows at the time.
    package init(folder: String, _ certificate: ListenerCertificate) {
        self.init(folder: folder) { certificate.endSeconds }
    }
}
