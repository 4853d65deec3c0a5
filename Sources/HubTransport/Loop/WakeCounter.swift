import CLinux

/// An eventfd that ends a reactor's wait.
struct WakeCounter: ~Copyable, Sendable {
    let descriptor: Int32

    init() throws(TransportError) {
        descriptor = belfry_counter_new()
        if descriptor < 0 { throw .system("eventfd", code: -descriptor) }
    }

    deinit { if descriptor >= 0 { belfry_close(descriptor) } }

    func raise() { belfry_counter_raise(descriptor) }

    func reset() { belfry_counter_reset(descriptor) }
}
