import Glibc

/// The system's words for its error numbers.
package enum SystemErrorText {
    /// The words for a number, such as "Permission denied".
    package static func words(_ code: Int32) -> String {
        // strerror returns a static or thread-local string that is copied here at once.
        unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    }
}
