/// Where a checked tag list lies in a body.
struct TagListPlace {
    let range: Range<Int>
    let count: Int
}
