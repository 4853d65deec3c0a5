import HubModel
import HubVocabulary

// Explanations: the directory gathers what it knows, `Explainer` decides.

extension HubDirectory {
    /// Why a notification did or did not reach a device or registration: the reason that came
    /// nearest first, then those of the device's other registrations by slot.
    func explain(
        _ name: NotificationName,
        _ subject: ExplainSubject,
        now: Now
    ) -> Result<HubReply, Refusal> {
        do throws(StoreError) {
            guard let record = try record(named: name) else {
                return .success(.explained([Explanation(reason: .unknownNotification)]))
            }
            return .success(.explained(try explanations(of: record, subject, now: now)))
        } catch {
            actions.append(.event(.readRefused(error)))
            return .failure(error.refusal)
        }
    }

    private func explanations(
        of record: NotificationRecord,
        _ subject: ExplainSubject,
        now: Now
    ) throws(StoreError) -> [Explanation] {
        switch subject {
        case .registration(let id):
            var all: [Explanation] = []
            if let found = try table[id] {
                let explainer = try explainer(record, found.target?.device, now: now)
                let answer = explainer.explain(found, isDeleted: false)
                guard case .notRegisteredThen = answer.reason else { return [answer] }
                all.append(answer)
            }
            // One that was there at the time may have had the id, or have it still.
            for gone in try history.deletedRegistrations(id: id) {
                let explainer = try explainer(record, gone.target?.device, now: now)
                all.append(explainer.explain(compiled(gone), isDeleted: true))
            }
            guard !all.isEmpty else { return [Explanation(reason: .unknownRegistration)] }
            return Array(Self.ranked(all).prefix(1))
        case .installation(let id):
            let all = try registrations(of: id).map { registration throws(StoreError) in
                try explainer(record, registration.target?.device, now: now)
                    .explain(registration, isDeleted: false)
            }
            return all.isEmpty ? [Explanation(reason: .unknownInstallation)] : Self.ranked(all)
        case .device(let device): return try explanations(of: record, device, now: now)
        case .handle(let handle):
            let found = Platform.allCases.lazy.compactMap { platform in
                self.device(of: handle, platform: platform)
            }.first
            guard let found else { return [Explanation(reason: .unknownDevice)] }
            return try explanations(of: record, found, now: now)
        }
    }

    private func explanations(
        of record: NotificationRecord,
        _ device: DeviceID,
        now: Now
    ) throws(StoreError) -> [Explanation] {
        let explainer = try explainer(record, device, now: now)
        var all: [Explanation] = []
        if case .handles(let handles) = record.draft.target,
            case .native(let platform) = record.draft.format
        {
            let isNamed = handles.contains { self.device(of: $0, platform: platform) == device }
            if isNamed { return [explainer.explainDirect(platform)] }
        }
        for registration in try table.registrations(of: device) {
            all.append(explainer.explain(registration, isDeleted: false))
        }
        for gone in try history.deletedRegistrations(of: device) {
            all.append(explainer.explain(compiled(gone), isDeleted: true))
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

    private func explainer(
        _ record: NotificationRecord,
        _ device: DeviceID?,
        now: Now
    ) throws(StoreError) -> Explainer {
        let counts = try counts(of: record.sequence)
        let successors = Successors(of: record, through: bounds.head, reader, limits)
        return try explainer(record, device, counts, successors, now: now)
    }

    /// Who explains a record to a device, for callers that explain it to many.
    func explainer(
        _ record: NotificationRecord,
        _ device: DeviceID?,
        _ counts: CounterTable,
        _ successors: Successors,
        now: Now
    ) throws(StoreError) -> Explainer {
        var progress = Explainer.Progress()
        if let device {
            let cursor = devices.cursor(of: device)
            progress.acknowledged = cursor?.acknowledged ?? 0
            progress.evaluatedThrough = cursor?.evaluatedThrough ?? 0
            progress.lastSeen = cursor?.lastSeen
            let all = try table.registrations(of: device)
            progress.historyCut = all.compactMap(\.historyCut?.sequence).max() ?? 0
            progress.isConnected = devices.session(of: device) != nil
        }
        return Explainer(
            record: record,
            counts: counts,
            progress: progress,
            now: now.time,
            payloadBytesMax: limits.payloadBytesMax,
            purgedThrough: settings.purgedThrough,
            newer: { registration in self.newer(registration, device, successors) }
        )
    }

    /// The next notification with the collapse key that reached the same registration, or the same
    /// device by its handle; nil when there is none, or it would take too long to find.
    private func newer(
        _ registration: Registration?,
        _ device: DeviceID?,
        _ successors: Successors
    ) -> NotificationName? {
        guard let device else { return nil }
        var anchors: Set<AnchorKey> = [.everyone, AnchorKey(device: device)]
        registration?.addAnchors(after: successors.record.sequence, to: &anchors)
        do throws(StoreError) {
            let next = try successors.first(in: anchors) { header in
                if let registration { return header.matches(registration) }
                guard case .handles(let handles) = header.target,
                    case .native(let platform) = header.format
                else { return false }
                return handles.contains { self.device(of: $0, platform: platform) == device }
            }
            return next.map { NotificationName(id: $0.id, sequence: $0.sequence) }
        } catch {
            actions.append(.event(.readRefused(error)))
            return nil
        }
    }

    /// A registration of the store with its template.
    private func compiled(_ stored: Registration) -> Registration {
        var registration = stored
        if let definition = stored.content.template {
            registration.template = templates.stored(
                definition,
                platform: stored.content.platform
            )
        }
        return registration
    }
}
