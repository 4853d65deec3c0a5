package import HubVocabulary

/// A registration as far as a request to a push service needs it: some hundred cross threads at a
/// time, and each part that they leave behind is not counted there.
package struct RelayRow: Sendable {
    /// The registration's number.
    package let number: RegistrationNumber
    /// Its version.
    package let version: UInt64
    /// When it was last written.
    package let modified: Timestamp
    /// Its handle.
    package let handle: [UInt8]
    /// Keys of a browser's subscription, by element name.
    package let fields: [NamedValue]
    /// Whether the handle leads to a device of the hub.
    package let isOwn: Bool
    /// Whether it gets what a template renders, and not the send's body.
    package let isTemplate: Bool
    /// Its template; nil also for one that does not compile.
    package let template: SharedTemplate?
    /// The template's variables.
    package let variables: [NamedValue]
    /// The key generation of the device that its handle claims to be of; 0 for none.
    package let generation: UInt32

    /// Takes the parts of a registration.
    package init(_ registration: Registration, generation: UInt32) {
        let content = registration.content
        number = registration.number
        version = registration.version
        modified = registration.modified
        handle = content.handle
        fields = content.platformFields
        isOwn = registration.target != nil
        isTemplate = content.template != nil
        template = registration.template
        variables = content.pushVariables
        self.generation = generation
    }
}
