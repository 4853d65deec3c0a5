package import HubDirectory
package import HubModel
package import HubVocabulary

/// Why a notification did or did not reach a device or registration.
///
/// The reason that came nearest first, then those of the device's other registrations by slot; never
/// empty.
package struct Explain: HubQuestion {
    /// The notification and the reasons.
    package struct Reply: Sendable {
        /// The notification; nil for one that is not there, or no longer kept.
        package let record: NotificationRecord?
        /// When it had come to every connected device that it is for; nil before.
        package let fannedOut: Timestamp?
        /// The reasons; never empty.
        package let reasons: [Explanation]

        /// Makes one of its parts.
        package init(
            _ reasons: [Explanation],
            record: NotificationRecord? = nil,
            fannedOut: Timestamp? = nil
        ) {
            self.record = record
            self.fannedOut = fannedOut
            self.reasons = reasons
        }
    }

    /// Which notification.
    package let name: NotificationName
    /// Which device or registration.
    package let subject: ExplainSubject

    /// Asks about a notification and a subject.
    package init(_ name: NotificationName, _ subject: ExplainSubject) {
        self.name = name
        self.subject = subject
    }

    package func answer(_ hub: HubView) throws(Refusal) -> Reply {
        try hub.reading { () throws(StoreError) in
            guard let record = try hub.log.record(named: name) else {
                return Reply([Explanation(reason: .unknownNotification)])
            }
            let reasons = try explanations(of: record, hub)
            guard record.sequence <= hub.fannedOut else { return Reply(reasons, record: record) }
            let took = try hub.counts(of: record.sequence)[nil, .fanOutMilliseconds]
            let end = Timestamp(milliseconds: record.id.time.milliseconds + took)
            return Reply(reasons, record: record, fannedOut: end)
        }
    }

    private func explanations(
        of record: NotificationRecord,
        _ hub: HubView
    ) throws(StoreError) -> [Explanation] {
        let explaining = Explaining(hub: hub)
        switch subject {
        case .registration(let id):
            var all: [Explanation] = []
            if let found = try hub.table[id] {
                let explainer = try explaining.explainer(record, found.target?.device)
                let answer = explainer.explain(found, isDeleted: false)
                guard case .notRegisteredThen = answer.reason else { return [answer] }
                all.append(answer)
            }
            // One that was there at the time may have had the id, or have it still.
            for gone in try hub.log.deletedRegistrations(id: id) {
                let explainer = try explaining.explainer(record, gone.target?.device)
                all.append(explainer.explain(explaining.compiled(gone), isDeleted: true))
            }
            guard !all.isEmpty else { return [Explanation(reason: .unknownRegistration)] }
            return Array(Self.ranked(all).prefix(1))
        case .installation(let id):
            let all = try hub.registrations(of: id).map { registration throws(StoreError) in
                try explaining.explainer(record, registration.target?.device)
                    .explain(registration, isDeleted: false)
            }
            return all.isEmpty ? [Explanation(reason: .unknownInstallation)] : Self.ranked(all)
        case .device(let device): return try explanations(of: record, device, hub)
        case .handle(let handle):
            guard let found = hub.device(of: handle) else {
                return [Explanation(reason: .unknownDevice)]
            }
            return try explanations(of: record, found, hub)
        }
    }

    private func explanations(
        of record: NotificationRecord,
        _ device: DeviceID,
        _ hub: HubView
    ) throws(StoreError) -> [Explanation] {
        let explaining = Explaining(hub: hub)
        let explainer = try explaining.explainer(record, device)
        var all: [Explanation] = []
        if case .handles(let handles) = record.draft.target,
            case .native(let platform) = record.draft.format
        {
            let isNamed = handles.contains {
                hub.device(of: $0, platform: platform) == device
            }
            if isNamed { return [explainer.explainDirect(platform)] }
        }
        for registration in try hub.table.registrations(of: device) {
            all.append(explainer.explain(registration, isDeleted: false))
        }
        for gone in try hub.log.deletedRegistrations(of: device) {
            all.append(explainer.explain(explaining.compiled(gone), isDeleted: true))
        }
        guard !all.isEmpty else { return [Explanation(reason: .unknownDevice)] }
        return Self.ranked(all)
    }

    /// The reason that came nearest first; of equal ones in their order.
    private static func ranked(_ all: [Explanation]) -> [Explanation] {
        let order = all.indices.sorted {
            (-all[$0].reason.rank, $0) < (-all[$1].reason.rank, $1)
        }
        return order.map { all[$0] }
    }
}
