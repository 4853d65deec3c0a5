import HubREST
import HubVocabulary

/// The fields of a form, `application/x-www-form-urlencoded`.
struct FormFields: Sendable {
    private let target: RequestTarget

    /// No fields.
    init() { target = RequestTarget("/") }

    /// Reads a body.
    ///
    /// - Throws: `.tooManyInRequest`.
    init(_ body: [UInt8], limits: ConsoleLimits) throws(RequestFailure) {
        target = RequestTarget("/?" + String(decoding: body, as: UTF8.self))
        guard target.fieldCount <= limits.formFieldsMax else {
            throw .refused(.tooManyInRequest(what: "fields", limit: limits.formFieldsMax))
        }
    }

    /// The text of a field; empty when it is absent.
    ///
    /// Line ends are as the text's author had them.
    subscript(_ name: String) -> String {
        target.value(name).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
