/// Hears the cursors of a hub that another node leads; on the thread that follows.
///
/// It has all cursors up to a row of their journal, or it is void and gets all anew.
package protocol CursorObserver: AnyObject {
    /// Up to which row it has all cursors; nil while it is void.
    var mark: JournalMark? { get }

    /// Forgets everything.
    func forget()

    /// Takes the merged cursor of a device, after `forget` and before `finish`; each device once,
    /// ascending.
    func load(_ cursor: StoredCursor)

    /// Has all cursors up to a row.
    func finish(at mark: JournalMark)

    /// Takes the changes behind its row in their order.
    func take(_ changes: [CursorChange], through mark: JournalMark)
}
