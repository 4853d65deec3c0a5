/// A database's password, which no message shows.
package struct PostgresPassword: Sendable {
    /// For the server alone.
    let text: String

    /// Takes a password.
    package init(_ text: String) { self.text = text }
}

extension PostgresPassword: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
    package var description: String { "***" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
