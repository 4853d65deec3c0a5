import HubModel
import HubVocabulary

/// Whether the registrations and the log of a hub belong together, and what follows when not.
///
/// The registrations remember how far the log was when they last changed. A log that does not know
/// that place is another or an older one: it begins a new epoch above everything either of them
/// has seen, so that no sequence number is used twice. Source: rules B.2.
struct StoreAgreement {
    /// The epoch that the log must begin; nil when it goes on.
    var begun: LogPlace?
    /// The log's epoch and head, which the registrations must remember from here on.
    var mark: RegistrationFile.LogMark
    /// The events that the operator hears of.
    var events: [StoreEvent] = []

    /// Compares; `log` and `mark` are nil for new files.
    static func reconcile(
        log: LogBounds?,
        mark: RegistrationFile.LogMark?,
        newEpoch: UInt64,
        check: (UInt64) throws(StoreError) -> UInt32?
    ) throws(StoreError) -> StoreAgreement {
        guard let log else {
            guard let mark else {
                return begin(newEpoch, above: 0, check: 0, log: nil, .created)
            }
            return begin(
                newEpoch,
                above: mark.head,
                check: mark.check,
                log: nil,
                .newEpoch(.logMissing)
            )
        }
        let headCheck = try check(log.head) ?? 0
        let present = RegistrationFile.LogMark(epoch: log.epoch, head: log.head, check: headCheck)
        guard let mark else {
            // A log without records next to no registrations: a first start that was cut short.
            guard log.head > 0 else { return StoreAgreement(mark: present, events: [.created]) }
            let event = StoreEvent.newEpoch(.registrationsMissing)
            return begin(newEpoch, above: log.head, check: headCheck, log: log, event)
        }
        if try knows(mark, log: log, check: check) { return StoreAgreement(mark: present) }
        let isOlder = mark.head > log.head
        return begin(
            newEpoch,
            above: max(log.head, mark.head),
            check: isOlder ? mark.check : headCheck,
            log: log,
            .newEpoch(isOlder ? .logIsOlder : .differentHistory)
        )
    }

    /// Whether the log went through the place that the registrations remember.
    private static func knows(
        _ mark: RegistrationFile.LogMark,
        log: LogBounds,
        check: (UInt64) throws(StoreError) -> UInt32?
    ) throws(StoreError) -> Bool {
        guard mark.head <= log.head,
            let index = log.epochs.firstIndex(where: { $0.epoch == mark.epoch })
        else { return false }
        if index + 1 < log.epochs.count, mark.head >= log.epochs[index + 1].sequence {
            return false
        }
        // A place that was trimmed away was known once.
        if mark.head < log.first { return true }
        return try check(mark.head) == mark.check
    }

    private static func begin(
        _ newEpoch: UInt64,
        above head: UInt64,
        check: UInt32,
        log: LogBounds?,
        _ event: StoreEvent
    ) -> StoreAgreement {
        var epoch = newEpoch
        while epoch == 0 || log?.epochs.contains(where: { $0.epoch == epoch }) == true {
            epoch &+= 1
        }
        return StoreAgreement(
            begun: LogPlace(epoch: epoch, sequence: head + 1),
            mark: RegistrationFile.LogMark(epoch: epoch, head: head, check: check),
            events: [event]
        )
    }
}
