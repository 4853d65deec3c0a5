import HubModel
import HubVocabulary

/// A word to a caller, device or operator once a group is through.
enum GroupAnswer {
    /// Answers a caller, unless the store refused what the answer needs.
    case answer(HubAnswer, AnswerNeeds)
    /// Tells of some of many sends; each holds as its promise says.
    case sendAll(SendSequence)
    /// Answers a question from what is durable.
    case question(HubQuestionCall)
    /// Answers a device's request; holds if the group's changes are durable.
    case outcome(ConnectionAddress, reference: UInt16, DeviceOutcome)
    /// Opens a session from what is durable.
    case attach(AttachRequest, sessionGeneration: UInt64)
    /// Tells a session's present state from what is durable.
    case attached(DeviceReload)
    /// A registration lapsed; tried again when the change is not durable.
    case expired(RegistrationNumber, Timestamp)
    /// A device was idle for too long; tried again when the change is not durable.
    case forgotten(DeviceID)
    /// An installation lapsed; tried again when the change is not durable.
    case installationExpired(InstallationNumber, Timestamp)
    /// Counts if the group's changes are durable.
    case event(DirectoryEvent)
}
