package import DeviceEmulator

/// The program that opens content on the desktop, started without a shell: its last argument is the
/// path of a file of the app's own, which it has named itself.
package struct PictureViewer: Equatable, Sendable {
    /// The word of `--viewer` for none.
    package static let none = "none"
    /// The program with which desktops open files.
    private static let system = "xdg-open"

    /// The program's path.
    package let program: String
    /// The arguments in front of the file's path.
    package let arguments: [String]

    /// The viewer of a user's wish, otherwise the desktop's where there is one; nil for none.
    ///
    /// - Parameters:
    ///   - wish: a program with its arguments, separated by blanks; `none`; nil for no wish.
    ///   - environment: where desktops and the paths of programs are found.
    ///   - isProgram: whether a file can be run.
    /// - Throws: `.memory` when a wish names no program that is there.
    package init?(
        wish: String?,
        environment: [String: String],
        isProgram: (String) -> Bool
    ) throws(PhoneFault) {
        guard wish != Self.none else { return nil }
        let words = (wish ?? Self.system).split(separator: " ").map(String.init)
        let hasDesktop = ["DISPLAY", "WAYLAND_DISPLAY"].contains { name in
            environment[name]?.isEmpty == false
        }
        guard wish != nil || hasDesktop else { return nil }
        let name = words.first ?? ""
        let folders = (environment["PATH"] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        let candidates =
            name.contains("/") ? [name] : folders.map { "\($0)/\(name)" }
        guard !name.isEmpty, let found = candidates.first(where: isProgram) else {
            guard wish == nil else {
                throw .memory("there is no program '\(name)' to open content")
            }
            return nil
        }
        program = found
        arguments = Array(words.dropFirst())
    }

    /// Whether content is opened: pictures, sounds and films, whose names end as their kind says;
    /// nothing that a desktop might run.
    package static func opens(_ mediaType: String) -> Bool {
        ContentFile.isImage(mediaType) || ContentFile.isPlayed(mediaType)
    }
}
