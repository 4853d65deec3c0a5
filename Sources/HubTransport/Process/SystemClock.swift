import CLinux

/// The clock of the machine.
package enum SystemClock {
    /// Whether it follows others; nil where the kernel does not tell.
    package static var isSynchronised: Bool? {
        let state = belfry_clock_is_synchronised()
        return state < 0 ? nil : state == 1
    }
}
