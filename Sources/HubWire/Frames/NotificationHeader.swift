/// One header of a send, or of a template, that travels to the device.
public struct NotificationHeader: Equatable, Sendable {
    /// Its name as its sender spelled it; at most 255 bytes in a template.
    public var name: String
    /// Its value; at most 255 bytes in a template, where it may hold expressions.
    public var value: String

    /// A header of its parts.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}
