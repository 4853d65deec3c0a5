import HubREST
import HubVocabulary

/// The fields of a form, `application/x-www-form-urlencoded`.
struct FormFields: Sendable {
    private let target: RequestTarget

    /// No fields.
    init() { target = RequestTarget("/") }

    /// Whether a `Content-Type` is a form's.
    static func isForm(_ type: [UInt8]?) -> Bool {
        let type = String(decoding: type ?? [], as: UTF8.self).lowercased()
        return type.prefix { $0 != ";" && $0 != " " } == "application/x-www-form-urlencoded"
    }

    /// Reads a body.
    ///
    /// - Throws: `.tooManyInRequest`.
    init(_ body: [UInt8], limits: ConsoleLimits.Form) throws(RequestFailure) {
        target = RequestTarget("/?" + String(decoding: body, as: UTF8.self))
        guard target.fieldCount <= limits.fieldsMax else {
            throw .refused(.tooManyInRequest(what: "fields", limit: limits.fieldsMax))
        }
    }

    /// The text of a field; empty when it is absent.
    ///
    /// Line ends are as the text's author had them.
    subscript(_ name: String) -> String {
        target.value(name).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Fields as the audit has them, each behind a space; empty ones are left out, long ones cut.
    func shown(_ names: [String]) -> String {
        names.map { name in
            let value = self[name]
            guard !value.isEmpty else { return "" }
            let isWhole = value.utf8.count <= Self.shownMax
            let shown = String(decoding: value.utf8.prefix(Self.shownMax), as: UTF8.self)
            return " \(name)=\(shown)\(isWhole ? "" : "…")"
        }.joined()
    }

    /// Bytes of a field that the audit has; a character of many would fill its ring.
    private static let shownMax = 128
}
