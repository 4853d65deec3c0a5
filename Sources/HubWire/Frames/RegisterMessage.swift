/// The content of a REGISTER frame, as a device composes it; fields as in `RegisterFrame`.
package struct RegisterMessage: Equatable, Sendable {
    /// Which slot, 0 to `slotMax`.
    package var slot: UInt16
    /// 0 apns, 1 gcm, 2 fcmv1, 3 wns, 4 mpns, 5 adm, 6 baidu, 7 browser, 8 xiaomi.
    ///
    /// Not checked here: the hub answers another number with RESULT UNSUPPORTED.
    package var platform: UInt8
    /// Seconds until the registration expires; 0 takes the hub's default.
    package var ttl: UInt32 = 0
    /// The state that the device expects; 0 is unconditional.
    package var ifETag: UInt64 = 0
    /// All tags of the slot, as bytes.
    package var tags: [[UInt8]]
    /// Makes it a template registration.
    package var template: TemplateMessage?

    /// A slot with its tags, native without a template.
    package init(
        slot: UInt16,
        platform: UInt8,
        tags: [[UInt8]],
        template: TemplateMessage? = nil
    ) {
        self.slot = slot
        self.platform = platform
        self.tags = tags
        self.template = template
    }

    /// The fields of a received REGISTER.
    package init(_ frame: borrowing RegisterFrame) {
        slot = frame.slot
        platform = frame.platform
        ttl = frame.ttl
        ifETag = frame.ifETag
        tags = frame.tags.copied()
        guard frame.kind == .template else {
            template = nil
            return
        }
        var headers: [NotificationHeader] = []
        var iterator = frame.makeHeaderIterator()
        while let header = frame.nextHeader(&iterator) {
            let name = String(copying: frame.text(header.name))
            headers.append(.init(name: name, value: String(copying: frame.text(header.value))))
        }
        template = TemplateMessage(
            name: String(copying: frame.templateName),
            expiry: String(copying: frame.templateExpiry),
            headers: headers,
            body: [UInt8](copying: frame.template)
        )
    }

    /// Appends the frame.
    ///
    /// - Throws: what the hub's decoder would say of it; nothing is appended then.
    package func encode(into bytes: inout [UInt8], ref: UInt16) throws(WireError) {
        precondition(ref != 0, "a request needs an id")
        let frame = WireWriter(.register, ref: ref, into: &bytes)
        guard slot <= WireLimits.slotMax else {
            throw frame.refuse(.badField, limit: WireLimits.slotMax, &bytes)
        }
        bytes.appendInteger(slot)
        bytes.append((template == nil ? RegistrationKind.native : .template).rawValue)
        bytes.append(platform)
        bytes.appendInteger(ttl)
        bytes.appendInteger(ifETag)
        try frame.tagList(tags, into: &bytes)
        if let template { try encode(template, with: frame, into: &bytes) }
        try frame.finishChecked(&bytes)
    }

    private func encode(
        _ template: TemplateMessage,
        with frame: WireWriter,
        into bytes: inout [UInt8]
    ) throws(WireError) {
        try frame.str8(template.name, max: WireLimits.templateNameBytesMax, into: &bytes)
        try frame.str8(template.expiry, max: WireLimits.templateExpiryBytesMax, into: &bytes)
        guard template.headers.count <= WireLimits.templateHeadersMax else {
            throw frame.refuse(.badField, limit: WireLimits.templateHeadersMax, &bytes)
        }
        bytes.append(UInt8(template.headers.count))
        for header in template.headers {
            guard !header.name.isEmpty else { throw frame.refuse(.badField, limit: 0, &bytes) }
            try frame.str8(header.name, max: 255, into: &bytes)
            try frame.str8(header.value, max: 255, into: &bytes)
        }
        try frame.bytes16(template.body, max: WireLimits.templateBytesMax, into: &bytes)
    }
}
