import HubModel
import HubVocabulary

/// One thing that waits for its turn.
enum DirectoryWork {
    case call(HubCall.Work)
    case device(DeviceID, UInt64, ConnectionAddress, reference: UInt16, DeviceRequest)
    case attach(AttachRequest)
    case reload([DeviceReload])
    case detach(DeviceID, UInt64)
    case expire(RegistrationNumber)
    case forget(DeviceID)
    case expireInstallation(InstallationNumber)
    /// Scheduled notifications whose time has come, or that are in the log.
    case schedules(Scheduler.Step)
    /// Imports that the hub's end interrupted.
    case failInterruptedJobs
}
