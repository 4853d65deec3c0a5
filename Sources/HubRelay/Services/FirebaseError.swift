import HubTemplates
import HubVocabulary

/// Google's error document: `error{code,status,message,details[]}`.
struct FirebaseError {
    /// The code of the detail that is FCM's own; nil when there is none.
    let code: String?
    /// The fields that a detail calls wrong.
    let fields: [String]
    private let status: String
    private let message: String

    /// Reads an answer's body; a body that is no such document has no parts.
    init(_ body: [UInt8]) {
        // Without a document the status alone decides.
        let tree = try? JSONTree(json: body.span, depthMax: RelayAnswer.depthMax)
        let error = tree?.member("error")
        status = Self.text(error?.member("status"))
        message = Self.text(error?.member("message"))
        var (code, fields): (String?, [String]) = (nil, [])
        if case .array(let details)? = error?.member("details") {
            for detail in details {
                if Self.text(detail.member("@type")).hasSuffix("FcmError") {
                    code = Self.text(detail.member("errorCode"))
                }
                for list in ["fieldViolations", "violations"] {
                    guard case .array(let entries)? = detail.member(list) else { continue }
                    fields += entries.map { entry in
                        Self.text(entry.member("field")) + Self.text(entry.member("subject"))
                    }
                }
            }
        }
        self.code = code
        self.fields = fields
    }

    /// The most exact word that there is.
    var reason: String { code ?? (status.isEmpty ? message : status) }

    /// Whether one device is meant, not the content and not the project.
    var isAboutDevice: Bool {
        fields.contains { field in
            ["message.token", "message.fid"].contains(field) || field.hasPrefix("device:")
        }
    }

    /// Whether the content is too large.
    var isAboutSize: Bool { message.lowercased().contains("too big") }

    private static func text(_ value: JSONTree?) -> String {
        guard case .string(let text)? = value else { return "" }
        return String(decoding: text, as: UTF8.self)
    }
}
