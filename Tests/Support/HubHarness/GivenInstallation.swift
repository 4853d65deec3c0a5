import HubModel
import HubRules
import HubTags
import HubTemplates
import HubVocabulary
import Testing

/// What the tests of installations are made of.
enum GivenInstallation {
    static func value(_ json: String) throws -> JSONTree {
        let bytes = Array(json.utf8)
        return try JSONTree(json: bytes.span, depthMax: 64)
    }

    static func document(
        _ json: String,
        id: String = "i-1",
        limits: CoreLimits = .standard
    ) throws -> InstallationDocument {
        try InstallationReader.document(value(json), id: Array(id.utf8), limits: limits)
    }

    static func draft(
        _ json: String,
        id: String = "i-1",
        limits: CoreLimits = .standard
    ) throws -> InstallationDraft {
        try InstallationDraft(document(json, id: id, limits: limits), limits: limits)
    }

    static func patch(_ json: String, limits: CoreLimits = .standard) throws -> InstallationPatch {
        try InstallationPatch(value(json), limits: limits)
    }

    /// The canonical text of a document after a patch.
    static func patched(_ document: String, _ patch: String) throws -> String {
        let changed = try Self.patch(patch).apply(to: Self.document(document), limits: .standard)
        return String(decoding: changed.value().json, as: UTF8.self)
    }

    /// An Apple installation with more members.
    static func apple(_ more: String = "", id: String = "i-1", handle: String = "AB01") -> String {
        """
        {"installationId":"\(id)","platform":"apns","pushChannel":"\(handle)"\
        \(more.isEmpty ? "" : ",")\(more)}
        """
    }

    static let never = #""expirationTime":"9999-12-31T23:59:59.9999999Z""#

    /// The canonical text of an Apple installation with more members.
    static func stored(_ more: String = "", handle: String = "AB01") -> String {
        """
        {"installationId":"i-1","pushChannel":"\(handle)","platform":"apns",\(never)\
        \(more.isEmpty ? "" : ",")\(more)}
        """
    }

    /// What a body of the core refuses, as status and detail.
    static func refused(_ body: () throws -> Void) -> String {
        do {
            try body()
            return "accepted"
        } catch let refusal as Refusal {
            return "\(refusal.status) \(refusal.detail)"
        } catch {
            return "\(error)"
        }
    }
}
