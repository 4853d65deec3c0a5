/// `backend.json`: how apps on this machine reach the backend; it holds no secret.
package struct BackendDescription: Codable, Equatable, Sendable {
    /// A name that the certificate carries.
    package var host: String
    /// The bound port.
    package var port: Int
    /// Path of the authority to trust, PEM; nil when the system's decide.
    package var ca: String?
    /// The backend's process.
    package var pid: Int32
}
