import FoundationEssentials

/// The content of `connection.json`: where a running hub listens and how to talk to it.
public struct ConnectionFile: Codable, Equatable, Sendable {
    /// One listener.
    public struct Endpoint: Codable, Equatable, Sendable {
        /// Name or address.
        public var host: String
        /// TCP port.
        public var port: UInt16

        /// A listener.
        public init(host: String, port: UInt16) {
            self.host = host
            self.port = port
        }

        /// Reads a listener; a port out of range is the fault of its field.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            host = try container.decode(String.self, forKey: .host)
            let number = try container.decode(Int.self, forKey: .port)
            guard let port = UInt16(exactly: number), port > 0 else {
                throw DecodingError.dataCorruptedError(
                    forKey: .port,
                    in: container,
                    debugDescription: "not a port"
                )
            }
            self.port = port
        }
    }

    /// One connection string for each purpose; all of them are secrets.
    public struct ConnectionStrings: Codable, Equatable, Sendable {
        /// Everything.
        public var full: String
        /// Registering only: for devices.
        public var listen: String
        /// Sending only: for back ends.
        public var send: String
        /// Every hub, and the hubs themselves: for administrators.
        public var namespace: String?

        /// The strings.
        public init(full: String, listen: String, send: String, namespace: String? = nil) {
            self.full = full
            self.listen = listen
            self.send = send
            self.namespace = namespace
        }
    }

    /// Name of the hub.
    public var hub: String
    /// The REST API.
    public var rest: Endpoint
    /// The device link.
    public var devices: Endpoint
    /// Path of the CA certificate to trust, PEM; nil trusts the system's authorities.
    public var ca: String?
    /// How to authenticate.
    public var connectionStrings: ConnectionStrings
    /// Process id of the hub.
    public var pid: Int32

    /// A description of its parts.
    public init(
        hub: String,
        rest: Endpoint,
        devices: Endpoint,
        ca: String?,
        connectionStrings: ConnectionStrings,
        pid: Int32
    ) {
        self.hub = hub
        self.rest = rest
        self.devices = devices
        self.ca = ca
        self.connectionStrings = connectionStrings
        self.pid = pid
    }

    /// Reads `connection.json` in a hub's data folder.
    ///
    /// - Throws: `ConnectionFileError`.
    public init(dataFolder: String) throws(ConnectionFileError) {
        try self.init(path: dataFolder + "/connection.json")
    }

    /// Reads a file.
    ///
    /// - Throws: `ConnectionFileError`.
    public init(path: String) throws(ConnectionFileError) {
        do {
            let bytes = try Data(contentsOf: URL(filePath: path))
            self = try JSONDecoder().decode(ConnectionFile.self, from: bytes)
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            throw .missing(path: path)
        } catch is CocoaError {
            throw .unreadable(path: path)
        } catch let error as DecodingError {
            throw .malformed(path: path, field: error.memberPath)
        } catch {
            throw .malformed(path: path, field: "")
        }
    }
}
