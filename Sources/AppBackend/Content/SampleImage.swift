import HubVocabulary

/// The picture of the rich push scenario, for a notification that brings none of its own.
enum SampleImage {
    /// The text beside it.
    static let message = "Check this image out!"
    /// A bell of 24 by 24 points, as PNG.
    static let png = Base64.decode(Array(text.utf8)) ?? []

    private static let text =
        "iVBORw0KGgoAAAANSUhEUgAAABgAAAAYCAMAAADXqc3KAAAABlBMVEX19frIjBSbZ9xJAAAANklE"
        + "QVR42r3QMQoAMAzDQOv/n+5WQkFQL9HoW0KSvbjZ/kgNIFIDiBiASA0gojBv0M93ENs/OwclAOXu"
        + "xtEOAAAAAElFTkSuQmCC"
}
