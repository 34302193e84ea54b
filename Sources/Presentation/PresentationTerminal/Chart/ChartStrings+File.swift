import ViewStates

extension MarketListStrings {
    /// What became of the file of a chart, longest first.
    static func file(_ outcome: FileOutcome) -> [LocalizedText] {
        switch outcome {
        case .written(let path):
            return [
                LocalizedText(ko: "차트를 저장했습니다: \(path)", en: "chart saved as \(path)"),
                LocalizedText(ko: "저장됨: \(name(of: path))", en: "saved as \(name(of: path))"),
            ]
        case .exists(let path):
            return [
                LocalizedText(
                    ko: "이미 있는 파일이라 저장하지 않았습니다: \(path)",
                    en: "not saved: \(path) exists. Choose another name"
                ),
                LocalizedText(
                    ko: "이미 있는 파일: \(name(of: path))",
                    en: "not saved, exists: \(name(of: path))"
                ),
            ]
        case .failed(let path, let number, let text):
            return [
                LocalizedText(
                    ko: "저장하지 못했습니다: \(path) (\(text), errno \(number))",
                    en: "not saved: \(path) (\(text), errno \(number))"
                ),
                LocalizedText(ko: "저장하지 못했습니다: \(text)", en: "not saved: \(text)"),
            ]
        case .noChart:
            return [LocalizedText(ko: "저장할 차트가 아직 없습니다", en: "there is no chart to save yet")]
        }
    }

    private static func name(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }
}
