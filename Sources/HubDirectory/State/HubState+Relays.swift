import HubModel
import HubVocabulary

extension HubState {
    /// The state of each lane that has a credential, ascending by platform.
    var relayReports: [RelayReport] {
        progress.relays.sorted { $0.key.rawValue < $1.key.rawValue }.map { platform, place in
            let mark = progress.lanes.mark(of: platform)
            let scanned = max(mark?.scanned ?? 0, place.since - min(1, place.since))
            return RelayReport(
                platform: platform,
                since: place.since,
                place: scanned,
                behind: log.bounds.head - min(log.bounds.head, scanned),
                open: mark?.open.count ?? 0,
                deferred: progress.lanes.deferredCount(of: platform),
                cause: place.cause,
                condition: place.condition
            )
        }
    }
}
