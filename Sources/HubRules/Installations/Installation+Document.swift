package import HubModel
import HubTemplates
package import HubVocabulary

extension Installation {
    /// Its document, read again; nil only for a stored text that no release wrote.
    package func document(limits: CoreLimits) -> InstallationDocument? {
        guard let value = InstallationReader.parsed(text) else { return nil }
        // Older limits may have allowed more, so there is room for everything that was stored.
        return try? InstallationReader.document(value, id: id, limits: limits.roomy)
    }

    /// Returns the document as a client gets it: as written, with the state of the handle added.
    ///
    /// Source: REST reference §5.2.
    package func answer(channelExpired: Bool, limits: CoreLimits) -> [UInt8] {
        document(limits: limits)?.value(channelExpired: channelExpired).json ?? text
    }
}

extension CoreLimits {
    /// These limits, with any number of parts.
    fileprivate var roomy: CoreLimits {
        var limits = self
        limits.registrations.tagsBytesMax = .max / 2
        limits.registrations.tagsMax = .max
        limits.installations.installationTemplatesMax = .max
        limits.installations.installationTilesMax = .max
        limits.installations.installationPairsMax = .max
        limits.registrations.templateNameBytesMax = .max
        return limits
    }
}
