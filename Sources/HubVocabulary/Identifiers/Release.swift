/// The release that this binary is.
package enum Release {
    /// As in `CHANGELOG.md`.
    package static let version = "0.2.0"
}
