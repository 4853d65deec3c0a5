import HubModel
import HubVocabulary

/// New ids of everything that a hub makes, from one sequence of random numbers.
struct Identifiers {
    /// The source of ids and lots.
    var random: KeyedRandom
    private var notifications: NotificationIDMaker

    /// Goes on behind the newest id of the log.
    init(secret: HubSecret, seed: UInt64, newest: NotificationID?) {
        random = KeyedRandom(secret: secret, seed: seed)
        notifications = NotificationIDMaker(after: newest)
    }

    /// Makes the id of a notification.
    mutating func notification(now: Timestamp) -> NotificationID {
        notifications.make(now: now, random: &random)
    }

    /// Makes the id of a scheduled notification.
    mutating func schedule(now: Timestamp) -> ScheduleID {
        ScheduleID.make(now: now, random: &random)
    }

    /// Makes the id of a bulk job.
    mutating func job(now: Timestamp) -> JobID { JobID.make(now: now, random: &random) }

    /// Makes the id of a registration.
    mutating func registration() -> [UInt8] { RegistrationID.make(random: &random) }
}
