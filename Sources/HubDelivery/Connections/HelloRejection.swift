import HubWire

/// Why a HELLO gets no session.
struct HelloRejection: Error {
    var number: ErrorNumber
    var retryAfterMilliseconds: UInt32 = 0
    var isFatal: Bool?
    var detail = ""

    init(
        _ number: ErrorNumber,
        retryAfterMilliseconds: UInt32 = 0,
        isFatal: Bool? = nil,
        detail: String = ""
    ) {
        self.number = number
        self.retryAfterMilliseconds = retryAfterMilliseconds
        self.isFatal = isFatal
        self.detail = detail
    }
}
