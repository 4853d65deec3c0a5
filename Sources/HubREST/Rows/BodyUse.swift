/// What an operation does with the body of its request.
package enum BodyUse: Sendable {
    /// Nothing; it is not read.
    case ignored
    /// Reads it whole.
    case read(BodyNote)
}
