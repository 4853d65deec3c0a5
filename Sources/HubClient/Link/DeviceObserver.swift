package import HubVocabulary

/// Told of everything that happens to the devices of a loop, on the loop's thread.
package protocol DeviceObserver: AnyObject, Sendable {
    /// A device of the loop, by the order in which it was added, has something to tell.
    func device(_ index: Int, did event: DeviceEvent, at time: Instant)
    /// The hub has answered a keep-alive of a device.
    func deviceKeptAlive(_ index: Int, at time: Instant)
    /// The loop has ended and will tell nothing more.
    func loopEnded()
}

extension DeviceObserver {
    /// Most observers need not know.
    package func deviceKeptAlive(_ index: Int, at time: Instant) {}
}
