import HubModel
import HubTemplates
import HubVocabulary

extension RelayNotification {
    /// A record as one registration gets it: natively, or as its template renders it.
    ///
    /// Returns nil when the registration's template does not compile.
    init?(
        _ record: NotificationRecord,
        to row: RelayRow,
        in hub: HubName,
        epoch: UInt64
    ) {
        let identifier = RelayIdentifier(
            hub: hub,
            place: LogPlace(epoch: epoch, sequence: record.sequence),
            registration: row.number
        )
        guard row.isTemplate else {
            self.init(record, identifier)
            return
        }
        guard let template = row.template else { return nil }
        let own = row.variables
        let rendered = template.compiled.render(
            record.draft.properties ?? PropertyBag(),
            variables: own.isEmpty ? nil : PropertyBag(own)
        )
        var headers = rendered.headers.map {
            NamedValue(name: ASCII.lower($0.name), value: $0.value)
        }
        let appleName = Array("apns-priority".utf8)
        if let priority = rendered.priority, !headers.contains(where: { $0.name == appleName }) {
            headers.append(NamedValue(name: appleName, value: Array("\(priority)".utf8)))
        }
        let sent = record.draft.headers.filter { sent in
            !headers.contains { $0.name == sent.name }
        }
        self.init(
            body: rendered.body,
            headers: sent + headers,
            lifetime: record.header.lifetime(rendered.expiry),
            priority: rendered.priority.map(NotificationPriority.init(apple:))
                ?? record.draft.priority,
            collapseKey: record.draft.collapseKey,
            identifier: identifier
        )
    }
}
