/// Limits of installations, of patches and lists of them.
package struct InstallationLimits: Equatable, Sendable {
    /// Bytes of an installation's document as it is stored.
    package var installationBytesMax = 65_536
    /// Bytes of the registrations that follow from it; each repeats push variables and handle.
    package var installationExpandedBytesMax: Int { 8 * installationBytesMax }
    /// Templates of one push channel of an installation; with the native one they fit a handle.
    package var installationTemplatesMax = 31
    /// Secondary tiles of an installation.
    package var installationTilesMax = 8
    /// Names of a map in an installation's document: push variables, headers of a template.
    package var installationPairsMax = 64
    /// Operations of one patch.
    package var patchOperationsMax = 1_000
    /// Installations that one page of a list looks at.
    package var installationScanMax = 10_000

    /// The defaults.
    package init() {}
}
