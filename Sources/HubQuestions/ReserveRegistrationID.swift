package import HubDirectory
import HubModel
package import HubVocabulary

/// Makes a new registration id; stores nothing.
package struct ReserveRegistrationID: HubQuestion {
    /// Makes the question.
    package init() {}

    package func answer(_ hub: HubView) throws(Refusal) -> [UInt8] {
        hub.makeID()
    }
}
