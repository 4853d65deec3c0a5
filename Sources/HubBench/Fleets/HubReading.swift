import DeviceEmulator
import HubClient
import HubVocabulary

/// A reading of the hub's process, to compare with a later one.
struct HubReading: Sendable {
    let at: Instant
    let cpu: UInt64?
    let bytes: Int?

    /// Reads the process now.
    init(_ pid: Int32) {
        at = .now
        cpu = HubProcess.cpuNanoseconds(pid)
        bytes = HubProcess.residentBytes(pid)
    }

    /// Microseconds of CPU, user and system of all threads, from this reading to a later one; nil
    /// when the process is gone.
    func cpuMicroseconds(to later: HubReading) -> Double? {
        guard let cpu, let last = later.cpu, last >= cpu else { return nil }
        return Double(last - cpu) / 1_000
    }

    /// By how many bytes the process's own memory has grown.
    func growth(to later: HubReading) -> Double? {
        guard let bytes, let last = later.bytes else { return nil }
        return Double(last - bytes)
    }

    /// Seconds from this reading to a later one.
    func seconds(to later: HubReading) -> Double {
        Double(later.at.since(at).wholeNanoseconds) / 1_000_000_000
    }
}
