package import HubModel
import HubTemplates
package import HubVocabulary

extension InstallationDraft {
    /// Checks a document by every rule of registrations.
    ///
    /// - Throws: `.invalid` with the path of what is wrong, `.tooLarge` past the stored size.
    package init(
        _ document: InstallationDocument,
        limits: CoreLimits
    ) throws(Refusal) {
        let text = document.value().json
        guard text.count <= limits.installations.installationBytesMax else {
            throw .tooLarge(
                field: "installation",
                bytes: text.count,
                limit: limits.installations.installationBytesMax
            )
        }
        self.init(
            id: document.id,
            platform: document.platform,
            expires: document.expires,
            text: text,
            parts: try InstallationRules.parts(of: document, limits: limits)
        )
    }
}
