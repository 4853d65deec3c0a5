/// An answer to a request, from RESULT or from ERROR.
struct RequestAnswer {
    var status: UInt16
    var retryAfter: Duration
    var detail: String
}
