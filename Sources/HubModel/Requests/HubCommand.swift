import HubTags
import HubTemplates
package import HubVocabulary

/// A command to a hub over REST; validated, authorised, one effect each.
package enum HubCommand: Sendable {
    /// Puts a notification at its place in the log.
    case send(NotificationDraft)
    /// Puts notifications at their places in the log, in this order, over as many groups as they need;
    /// what already waits from others has its turn between these. When the store refuses one, those
    /// behind it are refused.
    case sendAll([NotificationDraft])
    /// Sends to a few of those that match, and says what happens at each.
    case testSend(NotificationDraft)
    /// A new registration id; stores nothing.
    case reserveRegistrationID
    /// Stores a new registration under a new id.
    case createRegistration(RegistrationContent, AccessGrant)
    /// Creates or replaces the registration with this id.
    case putRegistration(id: [UInt8], RegistrationContent, WriteCondition, AccessGrant)
    /// Reads one.
    case getRegistration(id: [UInt8])
    /// Deletes one.
    case deleteRegistration(id: [UInt8], WriteCondition, AccessGrant)
    /// A page, ascending by number, of those after `after`.
    case listRegistrations(RegistrationFilter, after: RegistrationNumber, limit: Int)
    /// Creates or replaces an installation.
    case putInstallation(InstallationDraft, AccessGrant)
    /// Changes an installation.
    case patchInstallation(id: [UInt8], InstallationPatch, AccessGrant)
    /// Reads one.
    case getInstallation(id: [UInt8])
    /// Deletes one; succeeds when there is none.
    case deleteInstallation(id: [UInt8], AccessGrant)
    /// A page, ascending by number, of those after `after`; with limit 0 it only counts.
    case listInstallations(InstallationFilter, after: InstallationNumber, limit: Int)
    /// Reads the state and the counters of a notification.
    case notificationDetails(NotificationName)
    /// One part of an answer about registrations or tags; changes nothing.
    case inspect(Inspection)
    /// Explains why a notification did or did not reach a subject.
    case explain(NotificationName, ExplainSubject)
    /// Reads how long the hub keeps what.
    case getSettings
    /// Changes that.
    case changeSettings(HubSettingsChange)
    /// Takes back what was sent.
    case purge(PurgeExtent)
    /// Keeps a notification until its time.
    case schedule(ScheduleRequest)
    /// Takes a notification back that has not fired.
    case cancelSchedule(ScheduleID)
    /// Reads one that has not fired.
    case getSchedule(ScheduleID)
    /// A page of those that have not fired, in the order in which they will, behind `after`.
    case listSchedules(after: SchedulePlace?, limit: Int)
    /// Reads of the journal of departures.
    case departures(DepartureQuestion)
    /// One part of what kept a notification from those it was for, above a number.
    case failures(NotificationName, from: UInt32)
    /// Makes the key of a device, and its handle, worthless.
    case revokeDevice(ExplainSubject)
    /// Keeps a bulk job, which is then carried out.
    case createJob(JobRequest)
    /// Reads one.
    case getJob(JobID)
    /// Reads all that are kept, the newest first.
    case listJobs
    /// Notes the progress of one; from the thread that carries it out.
    case reportJob(JobID, JobReport)
}

extension HubCommand {
    /// Bytes that one of many drafts takes beside its body, about.
    package static let draftBytes = 512

    /// Bytes that it brings of its request's body, about; 0 where that is never much.
    package var bodyBytes: Int {
        switch self {
        case .send(let draft), .testSend(let draft): draft.bodyBytes
        // Nothing bounds how many small ones there are but their bytes.
        case .sendAll(let drafts): drafts.reduce(0) { $0 + $1.bodyBytes + Self.draftBytes }
        case .schedule(let request): request.draft.bodyBytes
        case .createRegistration(let content, _): content.bodyBytes
        case .putRegistration(_, let content, _, _): content.bodyBytes
        case .putInstallation(let draft, _):
            draft.text.count + draft.parts.reduce(0) { $0 + $1.bodyBytes }
        default: 0
        }
    }
}

extension NotificationDraft {
    fileprivate var bodyBytes: Int {
        let named =
            switch target {
            case .broadcast, .slots: 0
            case .tags(let expression): expression.source.count
            case .handles(let handles): handles.reduce(0) { $0 + $1.count }
            }
        let passed = headers.reduce(0) { $0 + $1.name.count + $1.value.count }
        return body.count + named + contentType.count + passed
    }
}

extension RegistrationContent {
    fileprivate var bodyBytes: Int {
        handle.count + tags.bytes.count + (template?.body.count ?? 0)
    }
}
