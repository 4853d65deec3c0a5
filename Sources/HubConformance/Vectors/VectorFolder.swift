import Foundation

/// The folder `Protocol/vectors`.
struct VectorFolder {
    let path: String

    /// The frame vectors of all files.
    func frames() throws(KitFault) -> [FrameVector] {
        var all: [FrameVector] = []
        for name in ["session", "keepalive", "registration", "delivery", "receipts", "framing"] {
            all += try read(name)
        }
        return all
    }

    /// The vectors of a file by its name.
    func read<Value: Decodable>(_ name: String) throws(KitFault) -> [Value] {
        let file = "\(path)/\(name).json"
        guard let content = FileManager.default.contents(atPath: file) else {
            throw .notPlayed("no \(file): name the folder Protocol with --protocol")
        }
        do {
            return try JSONDecoder().decode([Value].self, from: content)
        } catch {
            throw .setup("\(file) holds no vectors: \(error)")
        }
    }
}
