/// How TAGS changes the tags of a slot.
package enum TagsMode: UInt8, CaseIterable, Sendable {
    /// The list to add becomes all the tags.
    case replace = 0
    /// The list to remove goes, then the list to add comes.
    case patch = 1
}
