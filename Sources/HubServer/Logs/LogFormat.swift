/// How lines of the log are spelled; raw values are those of the setting.
package enum LogFormat: String, CaseIterable, Sendable {
    /// Words for people.
    case text
    /// A JSON object on each line.
    case json
}
