import HubModel
import HubParcel
import HubRules
import HubTemplates
import HubVocabulary

/// Turns a notification into the bytes that every recipient of one variant shares.
struct ParcelMaker: ~Copyable {
    private var deflater = ParcelDeflater()
    private let payloadBytesMax: Int

    /// A maker with its own compressor state.
    init(payloadBytesMax: Int) { self.payloadBytesMax = payloadBytesMax }

    /// Renders and encodes; nil when the rendered payload is over the limit.
    mutating func make(
        _ record: NotificationRecord,
        variant: ParcelVariant,
        template: SharedTemplate?,
        variables: [NamedValue]
    ) -> Parcel? {
        guard let template else {
            return encode(record, variant: variant, payload: record.draft.body)
        }
        let rendered = template.compiled.render(
            record.draft.properties ?? PropertyBag(),
            variables: variables.isEmpty ? nil : PropertyBag(variables)
        )
        guard rendered.body.count <= payloadBytesMax else { return nil }
        return encode(record, variant: variant, payload: rendered.body, rendered: rendered)
    }

    private mutating func encode(
        _ record: NotificationRecord,
        variant: ParcelVariant,
        payload: [UInt8],
        rendered: RenderedTemplate? = nil
    ) -> Parcel? {
        let lifetime = record.header.lifetime(rendered?.expiry ?? .none)
        let expires = lifetime.expires
        let seconds =
            lifetime.isTransient
            ? 0
            : (expires.milliseconds - min(expires.milliseconds, record.id.time.milliseconds))
                / 1_000
        var description = ParcelDescription(
            id: ParcelID(hi: record.id.high, lo: record.id.low),
            ttlSeconds: min(UInt32(clamping: seconds), ParcelLimits.ttlSecondsMax),
            urgency: urgency(of: record, rendered: rendered),
            contentType: contentType(of: payload, platform: variant.platform),
            collapseKey: record.draft.collapseKey,
            platform: variant.platform.rawValue,
            isTemplate: rendered != nil,
            wantsUserReceipt: record.draft.wantsReceipts,
            payload: payload
        )
        let headers = headers(of: record, rendered: rendered, platform: variant.platform)
        description.add(fitting: headers)
        // Whatever a send or template could make too large was refused or left out before.
        guard let bytes = try? deflater.encode(description, codec: variant.codec) else {
            return nil
        }
        return Parcel(bytes: bytes, expires: expires, isTransient: lifetime.isTransient)
    }

    private func urgency(
        of record: NotificationRecord,
        rendered: RenderedTemplate?
    ) -> ParcelUrgency {
        let priority = rendered?.priority.map(NotificationPriority.init(apple:))
        return ParcelUrgency(rawValue: (priority ?? record.draft.priority).rawValue) ?? .normal
    }

    /// A hint only: the device's app decides what the bytes mean.
    private func contentType(of payload: [UInt8], platform: Platform) -> ParcelContentType {
        switch payload.first {
        case UInt8(ascii: "<"): return .xml
        case UInt8(ascii: "{"):
            switch platform {
            case .apple: return .appleJSON
            case .gcm, .fcmV1: return .firebaseJSON
            default: return .json
            }
        default: return .opaque
        }
    }

    /// The send's headers that the platform's devices get, then the template's; the template's own
    /// value wins, its priority and expiry included.
    ///
    /// Source: REST reference §7.6, §8.4–8.6, §18.
    private func headers(
        of record: NotificationRecord,
        rendered: RenderedTemplate?,
        platform: Platform
    ) -> [ParcelHeader] {
        var own = rendered?.headers ?? []
        if platform == .apple { own += rendered?.appleHeaders ?? [] }
        let kept = record.draft.headers.filter { sent in
            PassedHeaders.belongs(ASCII.lower(sent.name), to: platform)
                && !own.contains { ASCII.equal($0.name, sent.name) }
        }
        return (kept + own).map { ParcelHeader(name: $0.name, value: $0.value) }
    }
}

extension RenderedTemplate {
    /// `apns-priority` and `apns-expiration` of the template's own priority and expiry, where its
    /// headers do not say them.
    fileprivate var appleHeaders: [NamedValue] {
        var made: [NamedValue] = []
        func add(_ name: String, _ value: UInt64) {
            guard !headers.contains(where: { ASCII.equal($0.name, name.utf8) }) else { return }
            made.append(NamedValue(name: Array(name.utf8), value: Array("\(value)".utf8)))
        }
        if let priority { add("apns-priority", UInt64(priority)) }
        switch expiry {
        case .at(let seconds): add("apns-expiration", seconds)
        case .transient: add("apns-expiration", 0)
        case .none: break
        }
        return made
    }
}

extension ParcelDescription {
    /// Adds headers in order, without those that a rendered value made too long and those that no
    /// longer fit: a header is worth less than its notification.
    ///
    /// Source: Protocol/parcels.md, "Limits".
    fileprivate mutating func add(fitting all: [ParcelHeader]) {
        for header in all where header.value.count <= ParcelLimits.headerFieldBytesMax {
            headers.append(header)
            if optionsByteCount > ParcelLimits.optionsBytesMax { headers.removeLast() }
        }
    }
}
