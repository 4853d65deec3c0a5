/// A setting of a server as it is in force, with its origin; none is a secret.
package struct ServerSetting: Encodable, Equatable, Sendable {
    /// Where a value comes from.
    package enum Origin: String, Encodable, Sendable {
        /// An option of the command.
        case option
        /// A variable of the environment.
        case environment
        /// `belfry.json`.
        case file
        /// None of these has it.
        case standard = "default"
    }

    /// Its key, such as `rest.port`.
    package let name: String
    /// Where its value comes from.
    package let origin: Origin
    /// Its value, as it is written in the environment; empty for none.
    package let value: String

    /// Makes one of its parts.
    package init(name: String, origin: Origin, value: String) {
        self.name = name
        self.origin = origin
        self.value = value
    }
}
