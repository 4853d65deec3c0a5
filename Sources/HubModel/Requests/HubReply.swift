package import HubVocabulary

/// A hub's answer to a command; everything it says is durable.
package enum HubReply: Sendable {
    case accepted(NotificationID, sequence: UInt64)
    /// The result of each send, in their order.
    case acceptedAll([Result<AcceptedSend, Refusal>])
    case settings(HubSettings)
    case tested(TestOutcome)
    case reserved(id: [UInt8])
    case registration(Registration)
    case deleted
    /// A page; `next` names the last number when more follow.
    case registrations([Registration], next: RegistrationNumber?)
    /// `channelExpired`: its handle was the device's once and is no more.
    case installation(Installation, channelExpired: Bool)
    /// A page, perhaps short; `matched` is how many were found for it and for a question that asks
    /// for none. `next` names the last number looked at when more follow. `total` is how many
    /// installations the hub has.
    case installations([Installation], matched: Int, next: InstallationNumber?, total: Int)
    case details(NotificationDetails)
    case inspected(InspectedPart)
    /// The reason that came nearest first; never empty.
    case explained([Explanation])
    /// Kept, or sent already when its time had passed.
    case scheduled(ScheduleID)
    case schedule(ScheduledNotification)
    /// A page; `next` is the last place when more follow.
    case schedules([ScheduledNotification], next: SchedulePlace?)
    /// The device and the generation of the key that it would have to prove.
    case revoked(DeviceID, generation: UInt32)
    case departures(DepartureAnswer)
    case failures(FailurePart)
    case job(BulkJob)
    /// The newest first.
    case jobs([BulkJob])
}

extension StoredKey.Outcome {
    /// The answer for a later caller with the same key and fingerprint.
    package var reply: HubReply {
        switch self {
        case .sent(let id, let sequence): .accepted(id, sequence: sequence)
        case .scheduled(let id): .scheduled(id)
        }
    }
}
