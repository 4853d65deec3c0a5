/// REGISTER: puts one of the device's slots; everything of variable size borrows the bytes.
///
///     slot: u16 (0..15) | kind: u8 | platform: u8 | ttl_s: u32 | if_etag: u64 | TAGLIST
///     kind 1: name str8 | expiry str8 | n: u8 | n x { header str8, value str8 }
///             | template bytes16                                        big-endian, Protocol §4.9
package struct RegisterFrame: ~Escapable {
    private let body: Span<UInt8>
    private let tagPlace: TagListPlace
    private let parts: TemplateParts

    /// The request id, never 0.
    package let ref: UInt16
    /// Which slot, 0 to `slotMax`.
    package let slot: UInt16
    /// Native or template.
    package let kind: RegistrationKind
    /// 0 apns, 1 gcm, 2 fcmv1, 3 wns, 4 mpns, 5 adm, 6 baidu, 7 browser, 8 xiaomi.
    ///
    /// Not checked here: the hub answers another number with RESULT UNSUPPORTED.
    package let platform: UInt8
    /// Seconds until the registration expires; 0 takes the hub's default.
    package let ttl: UInt32
    /// The state that the device expects; 0 is unconditional.
    package let ifETag: UInt64
    /// How many headers the template has.
    package let headerCount: Int

    /// Refuses anything that is not exactly one REGISTER body.
    @_lifetime(copy body)
    package init(decoding body: Span<UInt8>, header: FrameHeader) throws(WireError) {
        var reader = WireReader(body, of: .register)
        ref = header.ref
        slot = try reader.u16()
        try reader.require(slot <= WireLimits.slotMax, limit: WireLimits.slotMax)
        guard let kind = RegistrationKind(rawValue: try reader.u8()) else {
            throw reader.failure(.badField)
        }
        self.kind = kind
        platform = try reader.u8()
        ttl = try reader.u32()
        ifETag = try reader.u64()
        tagPlace = try reader.tagList()
        switch kind {
        case .native: parts = TemplateParts(emptyAt: reader.position)
        case .template: parts = try TemplateParts(&reader)
        }
        headerCount = parts.headerCount
        try reader.finish(header)
        self.body = body
    }

    /// The tags of the slot.
    package var tags: TagList {
        @_lifetime(copy self)
        get { TagList(checked: body.extracting(tagPlace.range), count: tagPlace.count) }
    }

    /// Name of the template, UTF-8; empty for a native registration.
    package var templateName: Span<UInt8> {
        @_lifetime(copy self) get { body.extracting(parts.name) }
    }

    /// Expiry expression of the template, UTF-8, possibly empty.
    package var templateExpiry: Span<UInt8> {
        @_lifetime(copy self) get { body.extracting(parts.expiry) }
    }

    /// Body of the template; empty for a native registration.
    package var template: Span<UInt8> {
        @_lifetime(copy self) get { body.extracting(parts.template) }
    }

    /// Steps through the template's headers in order.
    package func makeHeaderIterator() -> TemplateHeaderIterator {
        TemplateHeaderIterator(position: parts.headers.lowerBound, end: parts.headers.upperBound)
    }

    /// The next header that `iterator` has not given yet; allocates nothing.
    package func nextHeader(_ iterator: inout TemplateHeaderIterator) -> TemplateHeader? {
        guard iterator.position < iterator.end else { return nil }
        let nameStart = iterator.position + 1
        let nameEnd = nameStart + Int(body[nameStart - 1])
        let valueEnd = nameEnd + 1 + Int(body[nameEnd])
        iterator.position = valueEnd
        return TemplateHeader(name: nameStart..<nameEnd, value: (nameEnd + 1)..<valueEnd)
    }

    /// The bytes at a range that `nextHeader` gave.
    @_lifetime(copy self)
    package func text(_ range: Range<Int>) -> Span<UInt8> { body.extracting(range) }
}

/// Where one header of a template lies in the body.
package struct TemplateHeader: Equatable, Sendable {
    /// Name of the header, not empty.
    package let name: Range<Int>
    /// Value of the header.
    package let value: Range<Int>
}

/// How far `RegisterFrame.nextHeader` has come.
package struct TemplateHeaderIterator: Sendable {
    var position: Int
    let end: Int
}

/// Where the parts of a template lie in a REGISTER body.
struct TemplateParts {
    let name: Range<Int>
    let expiry: Range<Int>
    let headers: Range<Int>
    let headerCount: Int
    let template: Range<Int>

    init(emptyAt position: Int) {
        name = position..<position
        expiry = name
        headers = name
        headerCount = 0
        template = name
    }

    init(_ reader: inout WireReader) throws(WireError) {
        name = try reader.str8(max: WireLimits.templateNameBytesMax)
        expiry = try reader.str8(max: WireLimits.templateExpiryBytesMax)
        headerCount = Int(try reader.u8())
        try reader.require(
            headerCount <= WireLimits.templateHeadersMax,
            limit: WireLimits.templateHeadersMax
        )
        let start = reader.position
        for _ in 0..<headerCount {
            let name = try reader.str8(max: 255)
            try reader.require(!name.isEmpty)
            _ = try reader.str8(max: 255)
        }
        headers = start..<reader.position
        template = try reader.bytes16(max: WireLimits.templateBytesMax)
    }
}
