/// How a server reads its settings again.
package struct Reloading: Sendable {
    /// The level that the server's logger follows.
    package let level: LogLevel
    /// Reads options, environment and file again.
    package let settings: @Sendable () async throws -> ServerSettings

    /// Makes one of its parts.
    package init(
        level: LogLevel,
        settings: @escaping @Sendable () async throws -> ServerSettings
    ) {
        self.level = level
        self.settings = settings
    }
}
