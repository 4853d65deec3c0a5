package import HubVocabulary

/// Hears what a copy of a hub holds, and what is written into it; on the thread that follows.
///
/// It has everything up to a group, or it is void and gets everything anew.
package protocol CopyObserver: AnyObject {
    /// Up to which group it has all changes; nil while it is void.
    var group: UInt64? { get }

    /// Hears the cursors of the hub; nil where they are not followed.
    var cursors: (any CursorObserver)? { get }

    /// Forgets everything but the cursors.
    func forget()

    /// Takes the bytes of a live registration, after `forget` and before `finish`.
    func load(registration bytes: Span<UInt8>) throws(RecordProblem)

    /// Takes an installation, likewise.
    func load(_ installation: Installation)

    /// Has everything that holds behind a group.
    func finish(at group: UInt64)

    /// Takes the changes of a later group in their order.
    ///
    /// `before` has those live registrations whose numbers are among the changes, as they were.
    func take(_ changes: [StoredChange], of group: UInt64, instead before: [Registration])
}

extension CopyObserver {
    /// None.
    package var cursors: (any CursorObserver)? { nil }
}
