import HubModel
import HubVocabulary
import HubWire

extension DeviceRequest {
    /// The slot it is about; 0xFFFF for all.
    var slot: UInt16 {
        switch self {
        case .register(let slot, _, _, _): slot
        case .tags(let slot, _, _, _, _): slot
        case .unregister(let slot): slot
        }
    }
}

extension DeviceOutcome {
    /// The answer to the same request when the store refused it.
    func refused(by error: StoreError) -> DeviceOutcome {
        DeviceOutcome(
            error: error == .full ? .storage : .unavailable,
            slot: slot,
            retryAfterMilliseconds: UInt32(StoreError.retrySeconds) * 1_000,
            detail: error.refusal.detail
        )
    }
}
