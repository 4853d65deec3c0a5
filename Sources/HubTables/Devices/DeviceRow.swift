package import HubVocabulary

/// A row of a table of devices.
package protocol DeviceRow {
    /// The device that the row is about.
    var device: DeviceID { get }
}
