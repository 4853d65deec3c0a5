/// A registration for a request to a push service.
package struct RelayRow: Sendable {
    /// The registration, with its template.
    package var registration: Registration
    /// The key generation of the device that its handle claims to be of; 0 for none.
    package var generation: UInt32

    /// Makes a row.
    package init(registration: Registration, generation: UInt32) {
        self.registration = registration
        self.generation = generation
    }
}
