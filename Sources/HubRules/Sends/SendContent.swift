import HubModel
import HubTemplates
import HubVocabulary

/// The facts that the hub learns from a body while it checks it.
///
/// Source: REST reference §8.3–8.6.
struct SendContent {
    /// The property bag of a template send; nil for native ones.
    private(set) var properties: PropertyBag?
    /// The WNS kind, given or inferred from the root element; nil for other platforms.
    private(set) var windowsType: WindowsType?
    /// Whether an Apple payload shows nothing, so that its push type is `background`.
    private(set) var isBackground = false
    /// FCM: seconds to live that the body asks for.
    private(set) var timeToLiveSeconds: UInt64?
    /// FCM: the body's collapse key.
    private(set) var collapseKey: [UInt8]?
    /// FCM: the body's priority.
    private(set) var priority: NotificationPriority?

    private static let noPaths = JSONFields.Paths([])
    private static let applePaths = JSONFields.Paths([
        ["aps", "content-available"], ["aps", "alert"], ["aps", "badge"], ["aps", "sound"],
    ])
    private static let firebasePaths = JSONFields.Paths([
        ["message", "android", "ttl"], ["android", "ttl"], ["time_to_live"],
        ["message", "android", "collapse_key"], ["android", "collapse_key"], ["collapse_key"],
        ["message", "android", "priority"], ["android", "priority"], ["priority"],
    ])

    /// Checks a body by its format; a property bag, JSON object or XML document is read to its end.
    ///
    /// - Throws: `.invalid` naming `body` or the header, `.tooLarge` for a native payload.
    init(
        of request: SendRequest,
        format: NotificationFormat,
        limits: CoreLimits
    ) throws(Refusal) {
        let body = request.body
        guard case .native(let platform) = format else {
            do throws(PropertyBagError) {
                properties = try PropertyBag(json: body.span)
            } catch { throw .invalid(field: "body", reason: error.reason) }
            return
        }
        guard body.count <= limits.sends.payloadBytesMax else {
            throw .tooLarge(
                field: "payload",
                bytes: body.count,
                limit: limits.sends.payloadBytesMax
            )
        }
        guard !body.isEmpty else { throw .invalid(field: "body", reason: "The body is empty.") }
        switch platform {
        case .apple: try readApple(body, limits: limits)
        case .gcm, .fcmV1: try readFirebase(body, limits: limits)
        case .adm, .xiaomi: _ = try Self.fields(Self.noPaths, in: body, limits: limits)
        case .windows: windowsType = try Self.windowsType(of: request)
        case .windowsPhone: try Self.checkWindowsPhone(request)
        case .baidu, .browser: break
        }
    }

    /// Push type `background`: content-available and nothing to show.
    ///
    /// Source: REST reference §8.5.
    private mutating func readApple(_ body: [UInt8], limits: CoreLimits) throws(Refusal) {
        let found = try Self.fields(Self.applePaths, in: body, limits: limits)
        isBackground =
            found[0] == .number([UInt8(ascii: "1")]) && found[1...].allSatisfy { $0 == nil }
    }

    private mutating func readFirebase(_ body: [UInt8], limits: CoreLimits) throws(Refusal) {
        let paths = Self.firebasePaths
        let found = try Self.fields(paths, in: body, limits: limits)
        func first(_ range: Range<Int>) -> (name: String, value: JSONFields.Value)? {
            for index in range {
                if let value = found[index] {
                    return (paths.spelled[index].joined(separator: "."), value)
                }
            }
            return nil
        }
        if let (name, value) = first(0..<3) {
            guard let seconds = Self.seconds(value) else {
                throw .invalid(field: "body", reason: "\(name) is not a number of seconds")
            }
            timeToLiveSeconds = seconds
        }
        if let (name, value) = first(3..<6) {
            guard case .string(let key) = value else {
                throw .invalid(field: "body", reason: "\(name) is not a string")
            }
            collapseKey = key
        }
        if let (name, value) = first(6..<9) {
            guard case .string(let word) = value else {
                throw .invalid(field: "body", reason: "\(name) is not a string")
            }
            switch String(decoding: ASCII.lower(word), as: UTF8.self) {
            case "high": priority = .high
            case "normal": priority = .normal
            default: throw .invalid(field: "body", reason: "\(name) is neither high nor normal")
            }
        }
    }

    private static func fields(
        _ paths: JSONFields.Paths,
        in body: [UInt8],
        limits: CoreLimits
    ) throws(Refusal) -> [JSONFields.Value?] {
        do throws(JSONTextError) {
            return try JSONFields.read(paths, in: body.span, depthMax: limits.sends.nestingMax)
        } catch { throw .invalid(field: "body", reason: error.reason) }
    }

    /// `3600`, `"3600"` or `"3600s"`, with decimals behind the seconds, which round up.
    private static func seconds(_ value: JSONFields.Value) -> UInt64? {
        var text: [UInt8]
        switch value {
        case .number(let number): text = number
        case .string(let string):
            text = string
            if text.last == UInt8(ascii: "s") { text.removeLast() }
        case .other: return nil
        }
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard let whole = parts.first.flatMap({ ASCII.decimal($0) }), parts.count <= 2 else {
            return nil
        }
        guard parts.count == 2 else { return whole }
        guard (1...9).contains(parts[1].count), parts[1].allSatisfy(ASCII.isDigit) else {
            return nil
        }
        return parts[1].allSatisfy { $0 == UInt8(ascii: "0") } ? whole : whole.addingOne
    }

    /// Given, or inferred from the root element; bytes without one are raw.
    private static func windowsType(of request: SendRequest) throws(Refusal) -> WindowsType {
        let header = SendHeader.windowsType.spelling
        guard let given = try request.value(of: .windowsType) else {
            if let inferred = WindowsType(ofDocument: request.body.span) {
                try checkDocument(request.body)
                return inferred
            }
            let type = ASCII.lower(try request.value(of: .contentType) ?? [])
            guard type.starts(with: "application/octet-stream".utf8) else {
                throw .invalid(
                    field: header,
                    reason: "is missing, and the root element is not toast, tile or badge"
                )
            }
            return .raw
        }
        let word = String(decoding: ASCII.lower(given), as: UTF8.self)
        guard let type = WindowsType(rawValue: word) else {
            throw .invalid(
                field: header,
                reason: "must be wns/toast, wns/tile, wns/badge or wns/raw"
            )
        }
        if type != .raw { try checkDocument(request.body) }
        return type
    }

    /// Toasts and tiles are documents, raw notifications may be anything; when no header says which
    /// it is, what begins with an element is a document.
    private static func checkWindowsPhone(_ request: SendRequest) throws(Refusal) {
        if let given = try request.value(of: .windowsPhoneClass) {
            guard let number = ASCII.decimal(given), (1...31).contains(number) else {
                throw .invalid(
                    field: SendHeader.windowsPhoneClass.spelling,
                    reason: "must be a number from 1 to 31"
                )
            }
            if CompiledTemplate.isRaw(class: number) { return }
        } else if DocumentRoot.name(in: request.body.span) == nil {
            guard let target = try request.value(of: .windowsPhoneTarget) else { return }
            let isDocument = ["toast", "token", "tile"].contains {
                ASCII.equal(target, $0.utf8)
            }
            guard isDocument else { return }
        }
        try checkDocument(request.body)
    }

    private static func checkDocument(_ body: [UInt8]) throws(Refusal) {
        do throws(TemplateError) {
            try XMLTemplateCompiler.check(body)
        } catch { throw .invalid(field: "body", reason: error.reason) }
    }
}

extension UInt64 {
    /// One more, unless it is the largest.
    fileprivate var addingOne: UInt64 { self == .max ? self : self + 1 }
}
