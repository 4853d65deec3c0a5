/// A credential of a push service: the element's name, and its properties in their order.
package typealias CredentialEntry = (
    element: String, properties: [(name: String, value: String)]
)
