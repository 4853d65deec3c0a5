package import HubDirectory
package import HubModel
package import HubVocabulary

/// Reads the registration with an id.
package struct GetRegistration: HubQuestion {
    /// Its id.
    package let id: [UInt8]

    /// Makes the question.
    package init(id: [UInt8]) {
        self.id = id
    }

    package func answer(_ hub: HubView) throws(Refusal) -> Registration {
        let found = try hub.reading { () throws(StoreError) in try hub.table[id] }
        guard let found, !found.isExpired(hub.now.time) else { throw .registrationNotFound }
        return found
    }
}
