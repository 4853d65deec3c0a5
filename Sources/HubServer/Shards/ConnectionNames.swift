import HubTransport
import HubVocabulary

extension HubTransport.ConnectionID {
    /// The core's name for it.
    var named: HubVocabulary.ConnectionID {
        HubVocabulary.ConnectionID(slot: slot, generation: generation)
    }
}

extension HubVocabulary.ConnectionID {
    /// The transport's name for it.
    var named: HubTransport.ConnectionID {
        HubTransport.ConnectionID(slot: slot, generation: generation)
    }
}
