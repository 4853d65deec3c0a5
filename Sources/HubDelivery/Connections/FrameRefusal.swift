import HubWire

/// Why a request is refused before the directory is asked.
struct FrameRefusal: Error {
    let error: ErrorNumber
    let detail: String

    init(_ error: ErrorNumber, _ detail: String = "") {
        self.error = error
        self.detail = detail
    }
}
