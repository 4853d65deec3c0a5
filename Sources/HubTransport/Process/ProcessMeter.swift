import CLinux

/// Readings of a process that benchmarks and limits need.
package enum ProcessMeter {
    /// CPU time of a process, user and system of all its threads; nil when there is none.
    package static func cpuNanoseconds(process: Int32) -> UInt64? {
        var nanoseconds: UInt64 = 0
        // The value lives in this frame and is filled on success only.
        return unsafe belfry_process_cpu(process, &nanoseconds) == 0 ? nanoseconds : nil
    }

    /// Resident anonymous memory of a process in bytes (RssAnon).
    package static func residentAnonymousBytes(process: Int32) -> Int? {
        let bytes = belfry_resident_anonymous(process)
        return bytes < 0 ? nil : Int(bytes)
    }

    /// How many files this process may have open.
    package static var openFileLimit: Int { Int(belfry_open_file_limit()) }

    /// Raises the limit on open files towards `wanted` as far as allowed; the limit afterwards.
    @discardableResult
    package static func raiseOpenFileLimit(to wanted: Int) -> Int {
        let limit = belfry_raise_open_file_limit(Int64(wanted))
        return limit < 0 ? openFileLimit : Int(limit)
    }
}
