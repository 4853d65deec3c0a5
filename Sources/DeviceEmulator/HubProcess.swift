import HubTransport

/// Readings of a hub's process, for load generators on the same machine.
package enum HubProcess {
    /// CPU time, user and system of all its threads, in nanoseconds; nil when it is gone.
    package static func cpuNanoseconds(_ pid: Int32) -> UInt64? {
        ProcessMeter.cpuNanoseconds(process: pid)
    }

    /// Resident anonymous memory in bytes; nil when it is gone.
    package static func residentBytes(_ pid: Int32) -> Int? {
        ProcessMeter.residentAnonymousBytes(process: pid)
    }

    /// Raises this process's own limit on open files as far as allowed; returns the limit.
    @discardableResult
    package static func raiseOpenFileLimit(to wanted: Int) -> Int {
        ProcessMeter.raiseOpenFileLimit(to: wanted)
    }
}
