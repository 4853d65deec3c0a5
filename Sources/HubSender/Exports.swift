// What a back end needs beside the sender's own types, so that one import is enough.
@_exported public import HubEndpoint
@_exported public import enum HubVocabulary.Platform
@_exported public import typealias HubVocabulary.NotificationIdentifier
@_exported public import struct HubWire.ID16
@_exported public import struct HubWire.NotificationHeader
@_exported public import struct HubWire.TemplateMessage
