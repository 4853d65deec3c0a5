/// A platform's credential in the description of a hub: names and values that nothing has checked.
///
/// Prints, describes and mirrors as its element's name alone.
package struct DescribedCredential: Sendable, CustomStringConvertible, CustomReflectable {
    /// The element's name.
    package var element: String
    /// Its properties in their order; none removes the credential.
    package var properties: [(name: String, value: String)]

    /// Describes a credential.
    package init(element: String, properties: [(name: String, value: String)]) {
        self.element = element
        self.properties = properties
    }

    /// Never a value.
    package var description: String { element }

    /// Without children, so that no dump shows a value.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
