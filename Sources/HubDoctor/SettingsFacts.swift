package import HubVocabulary

/// The settings that a start would read now.
package struct SettingsFacts: Sendable {
    /// The mistake that keeps them from being read, with its place.
    package var mistake: String?
    /// Each setting by its name, as it is written in the environment.
    package var values: [String: String] = [:]
    /// When `belfry.json` was last changed.
    package var fileChanged: Timestamp?

    /// Settings without a mistake.
    package init(values: [String: String] = [:]) { self.values = values }

    /// The parts of a setting that is a list.
    func list(_ name: String) -> [String] {
        (values[name] ?? "").split(separator: ",").map(String.init)
    }

    /// Whether a setting is on.
    func isOn(_ name: String) -> Bool { values[name] == "true" }
}
