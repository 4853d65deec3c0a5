import HubModel
import HubVocabulary
import HubWire

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
