package import HubModel

/// The fate of a request to the model of a database.
package enum RequestFate: Sendable {
    /// It is carried out and answered.
    case answered
    /// It never arrives, and its sender hears nothing.
    case lost
    /// It is carried out, and its sender hears nothing.
    case answerLost
    /// Its sender hears nothing, and it is carried out just before the next one.
    case late
    /// It is refused.
    case refused(StoreError)
}
