/// One header or push variable: a name and a value, both UTF-8.
package struct NamedValue: Hashable, Sendable {
    /// The name as given.
    package var name: [UInt8]
    /// The value as given.
    package var value: [UInt8]

    /// Makes a pair.
    package init(name: [UInt8], value: [UInt8]) {
        self.name = name
        self.value = value
    }
}
