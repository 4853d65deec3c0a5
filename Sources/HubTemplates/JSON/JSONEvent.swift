/// A step of `JSONScanner`; ranges are positions in the text, those of strings without quotes.
package enum JSONEvent: Equatable {
    case beginObject
    case endObject
    case beginArray
    case endArray
    case key(Range<Int>)
    case string(Range<Int>)
    case number(Range<Int>)
    case boolean(Range<Int>)
    case null
    /// The text is one complete value and only white space follows.
    case end
}
