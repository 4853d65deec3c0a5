package import HubTags
import HubWire

/// A device's request about its own slots.
///
/// Source: Protocol, registration frames.
package enum DeviceRequest: Sendable {
    /// Creates or replaces a slot.
    case register(slot: UInt16, RegistrationContent, ttlSeconds: UInt32, ifETag: UInt64)
    /// Replaces or patches a slot's own tags.
    case tags(slot: UInt16, replace: Bool, add: TagSet, remove: TagSet, ifETag: UInt64)
    /// Removes a slot, or all with 0xFFFF.
    case unregister(slot: UInt16)

    /// The slot it is about; 0xFFFF for all.
    package var slot: UInt16 {
        switch self {
        case .register(let slot, _, _, _): slot
        case .tags(let slot, _, _, _, _): slot
        case .unregister(let slot): slot
        }
    }
}
