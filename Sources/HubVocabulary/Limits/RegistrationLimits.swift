/// Limits of registrations, of lists of them, and of those that a hub remembers.
package struct RegistrationLimits: Equatable, Sendable {
    /// Bytes of all tags of a registration, joined by commas.
    ///
    /// Source: REST reference §4.15.
    package var tagsBytesMax = 8_000
    /// Tags of a registration, over REST; the size of sets decides what joining two costs.
    package var tagsMax = 256
    /// Bytes of a push handle, whatever its platform.
    package var handleBytesMax = 4_096
    /// Bytes of a template's name.
    ///
    /// Source: rules C.4.
    package var templateNameBytesMax = 200
    /// Bytes of all headers of a template registration, each counted with two bytes more.
    ///
    /// With those of a send they fit a parcel's options.
    package var templateHeadersBytesMax = 2_000
    /// Push variables of a registration.
    package var pushVariablesMax = 32
    /// Bytes of one push variable's value.
    package var pushVariableBytesMax = 1_024
    /// Platform fields of a registration: browser keys, Baidu's message type.
    package var platformFieldsMax = 8
    /// Bytes of a secondary tile's name and of each further platform field.
    package var platformFieldBytesMax = 1_024
    /// Registrations made over REST or by installations for one handle.
    ///
    /// Source: rules C.1.
    package var restRegistrationsPerHandle = 32
    /// Former tag sets kept per registration.
    ///
    /// Source: rules A.6.
    package var formerTagSetsMax = 64
    /// Bytes of all former tag sets of a registration: they are written with each change of it, and
    /// every catch-up looks for all their tags.
    package var formerTagBytesMax = 65_536
    /// Numbers of registrations, living or deleted, that one page of a list looks at.
    package var registrationScanMax = 10_000
    /// Registrations of one page of a list.
    package var pageRegistrationsMax = 100
    /// Registrations that a directory remembers of those that it read or wrote last.
    package var registrationsRememberedMax = 1_024
    /// Bytes of one that is remembered, about; a larger one is read again each time.
    package var registrationRememberedBytesMax = 16_384

    /// The defaults.
    package init() {}
}
