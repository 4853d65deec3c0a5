/// A page of the list of tags.
struct TagPage: Encodable {
    struct Tag: Encodable {
        var registrations: Int
        var tag: String
    }

    /// Absent on the last page.
    var continuationToken: String?
    var tags: [Tag]
}
