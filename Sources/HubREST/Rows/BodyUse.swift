/// The use that an operation makes of its request's body.
package enum BodyUse: Sendable {
    /// Nothing; it is not read.
    case ignored
    /// Reads it whole.
    case read(BodyNote)
}
