import HubModel
import HubVocabulary

/// A hub as questions see it.
///
/// No change may be under way, and a question makes none: `HubDirectory` checks both.
package struct HubView {
    /// The parts of the hub.
    let state: HubState
    /// The time of the question.
    let now: Now

    var limits: CoreLimits { state.terms.limits }
    var table: RegistrationTable { state.table }
    var installations: InstallationTable { state.installations }
    var devices: DeviceTable { state.devices }
    var schedules: ScheduleTable { state.schedules }
    var jobs: JobTable { state.jobs }
    var log: HubLog { state.log }
    var settings: HubSettings { state.settings.present }

    /// The rows of the journal of departures that are kept.
    var departures: KeptDepartures {
        get throws(StoreError) {
            try KeptDepartures(
                state.departures.store,
                keptSeconds: limits.departuresKeptSeconds,
                now: now.time
            )
        }
    }

    /// Returns what `body` reads of the store.
    ///
    /// - Throws: what the store refuses.
    func reading<Value>(_ body: () throws(StoreError) -> Value) throws(Refusal) -> Value {
        try state.outbox.reading(body)
    }
}
