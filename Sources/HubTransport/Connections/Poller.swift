import CLinux

/// One epoll instance, level-triggered.
@safe struct Poller: ~Copyable {
    private let descriptor: Int32
    private let events: UnsafeMutableBufferPointer<belfry_event>

    init() throws(TransportError) {
        descriptor = belfry_poller_new()
        if descriptor < 0 { throw .system("epoll_create1", code: -descriptor) }
        // Initialised here with zeroes and freed in deinit.
        unsafe events = .allocate(capacity: BufferSizes.events)
        unsafe events.initialize(repeating: belfry_event())
    }

    deinit {
        unsafe events.deallocate()
        belfry_close(descriptor)
    }

    /// Whether the kernel took the descriptor.
    func add(_ socket: Int32, interest: UInt32, token: UInt64) -> Bool {
        belfry_poller_add(descriptor, socket, interest, token) == 0
    }

    func modify(_ socket: Int32, interest: UInt32, token: UInt64) {
        let result = belfry_poller_modify(descriptor, socket, interest, token)
        precondition(result == 0, "epoll_ctl MOD of an added socket failed: \(result)")
    }

    func remove(_ socket: Int32) {
        _ = belfry_poller_remove(descriptor, socket)
    }

    /// The number of events, which are then read by index.
    func wait(milliseconds: Int32) -> Int {
        // The buffer holds the count that is passed.
        let count = unsafe belfry_poller_wait(
            descriptor,
            events.baseAddress,
            Int32(events.count),
            milliseconds
        )
        precondition(count >= 0, "epoll_wait failed: \(count)")
        return Int(count)
    }

    subscript(_ index: Int) -> belfry_event {
        // Indices come from the count `wait` returned.
        unsafe events[index]
    }
}
