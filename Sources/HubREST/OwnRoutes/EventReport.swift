package import HubHistory
import HubVocabulary

/// An event as readers see it.
package struct EventReport: Encodable {
    private var code: Int?
    private var count: Int?
    private var device: String?
    private var format: String?
    private var id: String?
    private let kind: String
    private let number: UInt64
    private var operation: String?
    private var receivers: String?
    private var rule: String?
    private var status: Int?
    private var tags: String?
    private var text: String?
    private let time: String
    private var tracking: String?

    /// Tells of an event as a row does.
    package init(_ event: HubEvent) {
        kind = event.kind.name
        number = event.number
        time = TimeText.iso8601(event.time)
        switch event.kind {
        case .accepted(let notification, let format, let receivers):
            id = notification.text
            self.format =
                switch format {
                case .template: "template"
                case .native(let platform): platform.format
                }
            switch receivers {
            case .everyone: self.receivers = "everyone"
            case .handles: self.receivers = "handles"
            case .registrations: self.receivers = "registrations"
            case .tags(let expression):
                self.receivers = "tags"
                tags = String(decoding: expression, as: UTF8.self)
            }
        case .refused(let operation, let status, let code, let tracking):
            (self.operation, self.status, self.tracking) = (operation, status, tracking)
            self.code = code == 0 ? nil : code
        case .changed(let operation, let rule, let tracking):
            (self.operation, self.rule, self.tracking) = (operation, rule, tracking)
        case .told(let label): text = label
        case .notice(let sentence): text = sentence
        case .connected(let device), .ended(let device):
            self.device = HexText.digits(device.high) + HexText.digits(device.low)
        case .leftOut(let count): self.count = count
        }
    }
}
