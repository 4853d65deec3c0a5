import HubDirectory
import HubModel
import HubVocabulary

/// The material of one part of a search for failures.
struct FailureSearch {
    let record: NotificationRecord
    let counts: CounterTable
    let successors: ReplacingRecords
    var part: FailurePart

    init(record: NotificationRecord, counts: CounterTable, successors: ReplacingRecords) {
        self.record = record
        self.counts = counts
        self.successors = successors
        part = FailurePart(notification: NotificationName(id: record.id, sequence: record.sequence))
    }

    /// Whether no more records are read to find what replaced this one.
    var isExhausted: Bool { successors.isExhausted }

    /// Whether anything of a platform is counted as not delivered.
    func hasLost(_ platform: Platform) -> Bool {
        [TelemetryKind.expired, .oversized, .collapsed, .capped, .purged].contains {
            counts[platform, $0] > 0
        }
    }

    /// Returns the failure that a reason tells for certain, and its time; nil for none, or perhaps none.
    func failure(_ reason: ExplainReason) -> (DeliveryFailure.Kind, Timestamp)? {
        switch reason {
        case .expired(let time): (.dropped, time)
        case .collapsed(let newer): (.dropped, newer.id.time)
        case .overCap, .purged: (.dropped, record.id.time)
        case .unknownHandle: (.unknownHandle, record.id.time)
        case .relayRefused(let outcome, _, let time): (.refused(outcome), time)
        case .templateError: (.templateError, record.id.time)
        case .invalidSize: (.invalidSize, record.id.time)
        case .unknownNotification, .unknownRegistration, .unknownInstallation, .unknownDevice,
            .notRegisteredThen, .deleted, .formatDiffers, .notNamed, .tagsDiffer, .historyCut,
            .transient, .relayWaiting, .relayDeferred, .relayed, .relayedOrDropped, .passed,
            .collapsedOrStored, .overCapOrStored, .purgedOrStored,
            .historyCutOrStored, .waiting, .pending, .sentUnacknowledged, .acknowledged:
            nil
        }
    }
}
