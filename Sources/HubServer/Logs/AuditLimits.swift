/// The room of the audit on the disk.
struct AuditLimits: Sendable {
    /// The files of one ring.
    struct Ring: Sendable {
        /// Bytes from which on a new file begins; a page reads a file whole.
        var fileBytes: Int
        /// Files that are kept, the newest.
        var files: Int
    }

    /// Of changes that concern no hub.
    var namespace = Ring(fileBytes: 4_194_304, files: 64)
    /// Of the changes of each hub: a noisy one pushes out its own lines alone.
    var hub = Ring(fileBytes: 524_288, files: 16)
    /// Hubs, also removed ones, with files of their own.
    var hubs = 256
    /// Of all hubs beyond these, together.
    var others = Ring(fileBytes: 4_194_304, files: 16)
    /// Files that are read for a page of a time; one of each ring where each may have its newest line.
    var filesOfPage = 4
    /// Days without a change after which a hub's files may give way to those of another hub.
    var keptDays: UInt64 = 400
}
