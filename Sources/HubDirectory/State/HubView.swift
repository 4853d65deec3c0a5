package import HubModel
package import HubVocabulary

/// A hub as questions see it.
///
/// No change may be under way: `Hub` checks that. Other targets see of the parts only what
/// reads, so a question cannot make a change.
package struct HubView {
    /// The parts of the hub.
    let state: HubState
    /// The time of the question.
    package let now: Now

    /// How much there may be of everything.
    package var limits: CoreLimits { state.terms.limits }
    /// The registrations.
    package var table: RegistrationTable { state.table }
    /// The installations.
    package var installations: InstallationTable { state.installations }
    /// Cursors and sessions.
    package var devices: DeviceTable { state.devices }
    /// The scheduled notifications.
    package var schedules: ScheduleTable { state.schedules }
    /// The bulk jobs.
    package var jobs: JobTable { state.jobs }
    /// The log.
    package var log: HubLog { state.log }
    /// The decisions of operators.
    package var settings: HubSettings { state.settings.present }

    /// The rows of the journal of departures that are kept.
    package var departures: KeptDepartures {
        get throws(StoreError) {
            try KeptDepartures(
                state.departures.store,
                keptSeconds: limits.feedback.departuresKeptSeconds,
                now: now.time
            )
        }
    }

    /// Returns what `body` reads of the store.
    ///
    /// - Throws: what the store refuses.
    package func reading<Value>(
        _ body: () throws(StoreError) -> Value
    ) throws(Refusal) -> Value {
        try state.outbox.reading(body)
    }

    /// Has an operator count a read that the store refused and that the answer does without.
    package func readRefused(_ error: StoreError) { state.outbox.tell(.readRefused(error)) }

    // MARK: Handles and installations

    /// Returns the device that holds a handle now; nil when none of this hub's does.
    package func device(of handle: [UInt8], platform: Platform) -> DeviceID? {
        state.device(of: handle, platform: platform)
    }

    /// Returns the device that holds a handle now on whatever platform.
    package func device(of handle: [UInt8]) -> DeviceID? { state.device(of: handle) }

    /// Returns whether a handle leads to a device that the hub keeps something of: a session, a
    /// cursor, a registration.
    ///
    /// Most handles of direct sends claim a device that no hub has; only for others is the code in
    /// them computed.
    package func isOfKnownDevice(_ handle: [UInt8], platform: Platform) -> Bool {
        guard let claimed = PushHandle.claimedDevice(in: handle, platform: platform),
            devices.knows(claimed) || !table.numbers(of: claimed).isEmpty
        else { return false }
        return device(of: handle, platform: platform) != nil
    }

    /// Where a record is on its way to a platform's service; nil when it is not relayed there.
    package func relay(_ record: NotificationRecord, to platform: Platform) -> RelayPlace? {
        guard let place = state.progress.relays[platform], record.sequence >= place.since
        else { return nil }
        return place
    }

    /// The state of each lane that has a credential, ascending by platform.
    package var relayReports: [RelayReport] { state.relayReports }

    /// The lanes to push services.
    package var lanes: LaneBook { state.progress.lanes }

    /// Returns a lane's failures for a notification, those that are not durable yet included.
    package func relayFailures(
        of sequence: UInt64,
        platform: Platform
    ) throws(StoreError) -> [RelayFailure] {
        try state.progress.relayFailures(of: sequence, platform: platform)
    }

    /// Returns the key generation that a device must prove.
    package func keyGeneration(of device: DeviceID) -> UInt32 { state.devices.keys[device] }

    /// Returns the registrations of an installation, ascending by number.
    package func registrations(of installation: [UInt8]) throws(StoreError) -> [Registration] {
        try state.registrations(of: installation)
    }

    /// Returns the installation that a registration belongs to.
    package func installation(of registration: Registration) -> Installation? {
        state.installation(of: registration)
    }

    /// Makes an external id that no live registration has.
    package func makeID() -> [UInt8] { state.makeID() }

    /// Returns the template of content that the store has; nil for a native registration, and for a
    /// definition that no longer compiles.
    package func template(of content: RegistrationContent) -> SharedTemplate? {
        content.template.flatMap {
            state.table.rows.templates.stored($0, platform: content.platform)
        }
    }

    // MARK: Telemetry

    /// Everything through this place was fanned out by every shard, or by an earlier process.
    package var fannedOut: UInt64 { state.progress.fannedOut }

    /// Returns everything counted of a notification, what is not durable yet included.
    package func counts(of sequence: UInt64) throws(StoreError) -> CounterTable {
        try state.progress.counts(of: sequence)
    }

    /// How old a notification was when devices told of it; nil for an old one, and when nothing was
    /// told since the process began.
    package func curve(of sequence: UInt64) -> ReceiptCurve? { state.progress.curve(of: sequence) }

    /// Returns where the log has the record of a schedule that fired; nil when it has none.
    package func sequence(of schedule: ScheduleID) throws(StoreError) -> UInt64? {
        try state.sends.sequence(of: schedule)
    }
}
