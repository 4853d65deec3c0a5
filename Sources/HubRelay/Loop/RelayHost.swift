package import HubModel
package import HubVocabulary

/// Who carries out what a lane's loop says; each answer comes back as mail.
package protocol RelayHost {
    /// Asks the directory for the audiences of records, and of the first for what is above a number.
    mutating func askAudiences(of headers: [RecordHeader], above: UInt32?)
    /// Asks the directory for the registrations of tickets, some hundred at most.
    mutating func askRows(of tickets: [LaneTicket])
    /// Brings a request to the service.
    mutating func send(_ request: RelayRequest, for ticket: LaneTicket)
    /// Brings a trial's request to the service; the reply is called once, on any thread.
    mutating func send(
        _ request: RelayRequest,
        reply: @escaping @Sendable (Result<RelayAnswer, RelayVerdict>) -> Void
    )
    /// Brings a request to the endpoint for access tokens.
    mutating func fetchToken(_ request: RelayRequest)
    /// Has the directory store and count.
    mutating func store(_ report: LaneReport)
    /// Has the directory remove a registration that was not written since.
    mutating func remove(_ number: RegistrationNumber, version: UInt64, _ cause: DepartureCause)
    /// The lane rests, or sends again.
    mutating func tell(_ news: RelayNews)
    /// The lane's condition changed.
    mutating func show(_ condition: RelayCondition)
    /// Draws the secrets of one encrypted message.
    mutating func draw() -> WebPushEncryption.Draw
}
