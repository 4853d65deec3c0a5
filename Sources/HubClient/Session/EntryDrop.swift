/// Why a good entry is not given to the app.
package enum EntryDrop: Equatable, Sendable {
    /// Its time to live ended before it came.
    case expired
    /// It was stored before the hub's history was reset.
    case repeated
}
