/// Stands for the body of a request whose head says of no body at all; thrown when it is read.
package struct LengthMissing: Error {
    /// Says so.
    package init() {}
}
