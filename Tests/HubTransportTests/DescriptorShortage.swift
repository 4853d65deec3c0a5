import Glibc

/// Takes all descriptors of this process and gives them back; for a process of its own.
enum DescriptorShortage {
    // Its users run in an exit test: a process with one test, which calls from one thread.
    private nonisolated(unsafe) static var held: [Int32] = []
    private nonisolated(unsafe) static var before = rlimit()

    /// Lowers the limit to a little above what is open.
    static func begin() {
        let next = dup(0)
        close(next)
        unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &before)
        var low = unsafe before
        low.rlim_cur = rlim_t(next + 8)
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &low)
    }

    /// Opens descriptors until there is one left.
    static func fill() {
        while true {
            let next = dup(0)
            if next < 0 { break }
            unsafe held.append(next)
        }
        if let last = unsafe held.popLast() { close(last) }
    }

    static func end() {
        for descriptor in unsafe held { close(descriptor) }
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &before)
    }
}
