// What an app needs beside the client's own types, so that one import is enough.
@_exported public import HubEndpoint
@_exported public import struct HubWire.ID16
@_exported public import struct HubWire.NotificationHeader
@_exported public import struct HubWire.TemplateMessage
@_exported public import enum HubVocabulary.Platform
@_exported public import typealias HubVocabulary.NotificationIdentifier
