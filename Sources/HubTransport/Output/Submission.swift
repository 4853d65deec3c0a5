/// Whether a reactor may give the kernel many sends in one call; the raw value names it in settings.
package enum Submission: String, CaseIterable, Sendable {
    /// Through io_uring where the kernel allows it, otherwise one by one.
    case ring
    /// One send(2) for each connection.
    case send

    /// Why there is no io_uring here, as the system's number; nil when there is.
    package static func probeRing() -> Int32? {
        var code: Int32 = 0
        return SendRing(code: &code) == nil ? code : nil
    }
}
