import HubModel
import HubVocabulary

/// The newest notifications whose way is told step by step: those of traced requests, and tests.
///
/// Of each the first devices are told. Others cost a comparison for each flush and acknowledgement.
struct FollowedDeliveries {
    private struct Followed {
        let sequence: UInt64
        let trace: RequestTrace?
        /// Devices to which it was sent, as far as they are told.
        var devices: [DeviceID] = []
    }

    /// Ascending by sequence.
    private var followed: [Followed] = []
    private var steps: [DeliveryStep] = []
    private let notificationsMax: Int
    private let devicesMax: Int

    /// Follows nothing yet.
    init(_ limits: SessionLimits) {
        notificationsMax = limits.followedNotificationsMax
        devicesMax = limits.followedDevicesMax
    }

    /// The place of the newest one; 0 when there is none.
    var newest: UInt64 { followed.last?.sequence ?? 0 }

    /// A record was fanned out to so many registrations.
    mutating func begin(
        _ record: NotificationRecord,
        registrations: @autoclosure () -> Int,
        at now: Instant
    ) {
        guard record.isFollowed, record.sequence > newest else { return }
        if followed.count >= notificationsMax {
            // A person waits for a test.
            followed.remove(at: followed.firstIndex { $0.trace != nil } ?? 0)
        }
        let begun = Followed(sequence: record.sequence, trace: record.draft.trace)
        followed.append(begun)
        add(.selected(registrations: registrations()), of: begun, at: now)
    }

    /// A device got everything above `before` and through `end` that was for it.
    mutating func sent(to session: DeviceSession, after before: UInt64, at now: Instant) {
        let end = session.progress.sentThrough
        for place in followed.indices.reversed() where followed[place].sequence <= end {
            let found = followed[place]
            guard found.sequence > before else { return }
            guard found.devices.count < devicesMax,
                session.window.sent(of: found.sequence) != nil
            else { continue }
            followed[place].devices.append(session.device)
            add(.sent(session.device), of: found, at: now)
        }
    }

    /// A device acknowledges everything through `end`; call it before its session does.
    mutating func acknowledged(by session: DeviceSession, through end: UInt64, at now: Instant) {
        for found in followed.reversed() where found.sequence <= end {
            guard found.sequence > session.progress.acknowledged else { return }
            guard found.devices.contains(session.device),
                let sent = session.window.sent(of: found.sequence)
            else { continue }
            add(.acknowledged(session.device, sent: sent), of: found, at: now)
        }
    }

    /// Takes the steps since the last call.
    mutating func take() -> [DeliveryStep] {
        guard !steps.isEmpty else { return [] }
        defer { steps = [] }
        return steps
    }

    private mutating func add(_ kind: DeliveryStep.Kind, of found: Followed, at now: Instant) {
        steps.append(
            DeliveryStep(sequence: found.sequence, trace: found.trace, kind: kind, at: now)
        )
    }
}

extension NotificationRecord {
    /// Whether its steps are told: its request is traced, or it is a test of some registrations.
    fileprivate var isFollowed: Bool {
        if case .slots = draft.target { return true }
        return draft.trace != nil
    }
}
