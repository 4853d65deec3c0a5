import HubDelivery

/// No room at all.
struct FullRoom: MailRoom {
    func take(_ mail: ShardMail<Never>) -> Bool { false }
}
