import Foundation

/// Shows what an app's user has opened.
///
/// It is drawn in the terminal where that has graphics, otherwise opened with the desktop's viewer
/// where there is one. Where the file lies is told in any case.
struct ContentShow: Sendable {
    /// How the terminal draws; nil when it does not.
    let picture: TerminalPicture?
    /// What opens files; nil for nothing.
    let viewer: PictureViewer?

    /// For a user's wish as `--viewer` has it.
    /// - Throws: `PhoneFault` when it names no program.
    init(viewer wish: String?) throws(PhoneFault) {
        let environment = ProcessInfo.processInfo.environment
        picture = isatty(STDOUT_FILENO) == 1 ? TerminalPicture.detected(in: environment) : nil
        viewer = try PictureViewer(wish: wish, environment: environment) { path in
            FileManager.default.isExecutableFile(atPath: path)
        }
    }

    /// What draws the content of an opened entry in the terminal; nil when nothing of it can be
    /// drawn.
    func drawn(_ line: PhoneLine, columns: Int, rows: Int) -> String? {
        guard let picture, line.event == .opened, let path = line.path, let type = line.mediaType,
            let bytes = FileManager.default.contents(atPath: path)
        else { return nil }
        return picture.text(of: [UInt8](bytes), mediaType: type, columns: columns, rows: rows)
    }

    /// Starts the viewer with an opened entry's content and waits for nothing.
    func open(_ line: PhoneLine) {
        guard let viewer, line.event == .opened, let path = line.path, let type = line.mediaType,
            PictureViewer.opens(type)
        else { return }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: viewer.program)
        // Absolute, so that it begins with no dash; its name is made of an id and an ending.
        process.arguments = viewer.arguments + [URL(fileURLWithPath: path).path]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        // Where the file lies has been told, so a viewer that does not start loses nothing.
        try? process.run()
    }
}
