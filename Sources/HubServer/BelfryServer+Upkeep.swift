import Foundation
import HubHistory

/// Work that comes back while a server runs.
extension BelfryServer {
    /// Numbers over time, announcements of the certificate's end, last uses of keys on the disk.
    var upkeep: [UpkeepService] {
        [
            UpkeepService(every: .seconds(HistoryLimits.fine.seconds)) { [roster] in
                await roster.readNumbers()
            },
            UpkeepService(every: .seconds(3_600)) { [roster] in roster.announceCertificate() },
            UpkeepService(every: .seconds(600)) { [roster] in
                await withCheckedContinuation { continuation in
                    DispatchQueue.global().async {
                        roster.keepUses()
                        continuation.resume()
                    }
                }
            },
        ]
    }
}
