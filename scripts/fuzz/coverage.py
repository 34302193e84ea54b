"""Measures the lines and branches of the parsers that corpus and finds reach, with the toolchain's
llvm-cov. The compiler counts no branches of Swift: for those the regions count, without those of
preconditions and of a lack of memory, which end the program: reached, they are findings."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

LINES_MIN = BRANCHES_MIN = 95.0
# The kind of a region of code in the output of llvm-cov.
CODE_REGION = 0
# Calls that end the program.
ENDING = re.compile(r"(case [^:]*:|\{)?\s*(preconditionFailure|HeapMemory\.endForShortage)\(")
# The beginning of a precondition, up to its message.
OPEN_PRECONDITION = re.compile(r"precondition(Failure)?\([^()]*(\([^()]*\)[^()]*)*$")

# The files that parse; a name may have the wildcards of the shell. The compiler counts nothing in
# the inline functions of system modules (Sources/Platform/CHTTPParser/shim.h).
PARSERS = [
    "Sources/DataSources/CBithumbJSON/*.cpp",
    "Sources/DataSources/DataSourcesBithumb/BithumbJSON*.swift",
    "Sources/DataSources/DataSourcesBithumb/Stream/StreamDecoder.swift",
    "Sources/DataSources/DataSourcesBithumb/V*/REST/*Decoder.swift",
    "Sources/DataSources/DataSourcesHTTP/EventStreamParser.swift",
    "Sources/Platform/Compression/MessageInflater.swift",
    "Sources/Platform/HTTPServer/BodyReader.swift",
    "Sources/Platform/HTTPServer/HeadReader.swift",
    "Sources/Platform/HTTPServer/HeaderTable.swift",
    "Sources/Platform/HTTPServer/PercentDecoding.swift",
    "Sources/Platform/HTTPServer/Request*.swift",
    "Sources/Platform/JSON/JSONReader.swift",
    "Sources/Platform/WebSocketFraming/FrameCodec.swift",
    "Sources/Platform/WebSocketFraming/MessageAssembler.swift",
    "Sources/Platform/WebSocketFraming/PerMessageDeflate.swift",
    "Sources/Platform/WebSocketFraming/WebSocketClose.swift",
    "Sources/Platform/WebSocketFraming/WebSocketResponseReader.swift",
    "Sources/Domain/Values/DecimalParser.swift",
    "Sources/Domain/Values/FixedDecimal+Text.swift",
    "Sources/Domain/Alerts/AlertBookState+Text.swift",
    "Sources/Domain/Alerts/AlertRule+*.swift",
    "Sources/Domain/Alerts/AlertRuleParser.swift",
    "Sources/Domain/Users/UserInput.swift",
    "Sources/Presentation/PresentationHTTP/Routes/*Parameters.swift",
    "Sources/Presentation/PresentationHTTP/Routes/DocumentQuery+Request.swift",
    "Sources/Presentation/PresentationHTTP/Routes/StreamQuery.swift",
    "Sources/Presentation/PresentationHTTP/Users/*Request.swift",
    "Sources/Presentation/PresentationHTTP/Users/UserRequestBody*.swift",
    "Sources/Presentation/PresentationTerminal/Device/TerminalReplies.swift",
    "Sources/Presentation/PresentationTerminal/Forms/FormReducer.swift",
    "Sources/Presentation/PresentationTerminal/Forms/TextFieldInput.swift",
    "Sources/Presentation/PresentationTerminal/Keys/KeyDecoder.swift",
    "Sources/Presentation/PresentationTerminal/Keys/MouseEvent.swift",
    "Sources/Presentation/ViewStates/Patches/DocumentPatch.swift",
    "Sources/Presentation/ViewStates/Patches/PatchPaths.swift",
    "Sources/App/Configuration/ConfigurationFile.swift",
    "Sources/App/Configuration/DurationText.swift",
    "Sources/App/Configuration/SettingReader*.swift",
    "Sources/App/ScreenModels/PatchedDocument.swift",
    "Sources/App/Users/CSVReader.swift",
    "Sources/App/Users/FavoritesFile.swift",
    "Sources/App/Users/UserFile.swift",
    "Sources/ExchangeSimulator/Replay/LineReader.swift",
    "Sources/ExchangeSimulator/Replay/RecordedLine.swift",
]


def report(root, folders, environment):
    """Replays, measures and prints; returns the exit status."""
    build = root / ".build-fuzz-coverage"
    fuzzer = build / "debug/Fuzzer"
    profiles = build / "profiles"
    shutil.rmtree(profiles, ignore_errors=True)
    profiles.mkdir(parents=True)
    names = subprocess.run([str(fuzzer), "targets"], capture_output=True, text=True, check=True,
                           env=os.environ | {"LLVM_PROFILE_FILE": os.devnull})
    for target in names.stdout.split():
        profile = {"LLVM_PROFILE_FILE": str(profiles / f"{target}.profraw")}
        with open(build / f"{target}.log", "wb") as log:
            subprocess.run([str(fuzzer), "-runs=0", "-max_len=65536",
                            f"-artifact_prefix={build}/{target}-", *folders(target)], check=True,
                           env=environment(target) | profile, stdout=log,
                           stderr=subprocess.STDOUT)
    merged = profiles / "all.profdata"
    # Those of the compiler: other versions do not read its profiles.
    tools = Path(shutil.which("swiftc")).resolve().parent
    subprocess.run([str(tools / "llvm-profdata"), "merge", "-sparse", "-o", str(merged),
                    *map(str, profiles.glob("*.profraw"))], check=True)
    files = sorted({path for name in PARSERS for path in root.glob(name)})
    for name in PARSERS:
        if not list(root.glob(name)):
            raise SystemExit(f"scripts/fuzz/coverage.py: no file is {name}")
    chosen = [str(fuzzer), f"-instr-profile={merged}", *map(str, files)]
    command = [str(tools / "llvm-cov"), "export", "-format=text", "-skip-expansions", *chosen]
    exported = subprocess.run(command, capture_output=True, check=True).stdout
    data = json.loads(exported)["data"][0]
    missing = []
    rows = []
    regions = swift_regions(data["functions"], {str(path) for path in files})
    for entry in data["files"]:
        summary = entry["summary"]
        name = Path(entry["filename"]).relative_to(root)
        counted = regions.get(entry["filename"], summary["regions"])
        rows.append((name, summary["lines"], summary["branches"], counted))
        missing.append(f"{name}: {ranges(entry)}")
    (root / ".build-fuzz/coverage.txt").write_text("\n".join(missing) + "\n")
    return table(rows)


def swift_regions(functions, files):
    """The regions of each file of Swift that an input could reach, and how many of them are."""
    counts = {}
    for function in functions:
        for line, column, last, end, count, file, _, kind in function["regions"]:
            path = function["filenames"][file]
            if path in files and path.endswith(".swift") and kind == CODE_REGION:
                place = (line, column, last, end)
                found = counts.setdefault(path, {})
                found[place] = found.get(place, 0) + count
    return {path: region_summary(Path(path), found) for path, found in counts.items()}


def region_summary(path, counts):
    lines = path.read_text(encoding="utf-8").splitlines()
    kept = [count for place, count in counts.items()
            if count or not is_unreachable(lines, *place)]
    return {"count": len(kept), "covered": sum(count > 0 for count in kept)}


def is_unreachable(lines, line, column, last, end):
    """Whether a region begins with the end of the program, or is the message of a precondition."""
    text = "\n".join(lines[line - 1:last - 1] + [lines[last - 1][:end - 1]])[column - 1:]
    if ENDING.match(text):
        return True
    statement = "\n".join(lines[max(line - 4, 0):line - 1]) + "\n" + lines[line - 1][:column - 1]
    return text.startswith('"') and OPEN_PRECONDITION.search(statement) is not None


def ranges(entry):
    """The lines that no input reaches, as the segments of llvm-cov tell."""
    missed = set()
    segments = entry["segments"]
    for (line, _, count, has_count, _, is_gap), after in zip(segments, segments[1:]):
        if has_count and count == 0 and not is_gap:
            missed.update(range(line, after[0] + (after[1] > 1)))
    lines = sorted(missed)
    spans = []
    for line in lines:
        if spans and spans[-1][1] == line - 1:
            spans[-1][1] = line
        else:
            spans.append([line, line])
    return " ".join(f"{a}" if a == b else f"{a}-{b}" for a, b in spans) or "all reached"


def table(rows):
    sums = {"lines": [0, 0], "branches": [0, 0], "regions": [0, 0]}
    print(f"{'file':<44} {'lines':>16} {'branches':>16} {'regions':>16}")
    for name, lines, branches, regions in sorted(rows, key=lambda row: row[1]["percent"]):
        cells = []
        for key, counts in (("lines", lines), ("branches", branches), ("regions", regions)):
            # Branches are counted in C and C++, and the regions stand for those of Swift.
            if key == "regions" and branches["count"]:
                cells.append(" " * 16)
                continue
            sums[key][0] += counts["covered"]
            sums[key][1] += counts["count"]
            cells.append(cell(counts["covered"], counts["count"]))
        print(f"{name.name[:44]:<44} {' '.join(cells)}")
    print(f"{'all':<44} {' '.join(cell(*sums[key]) for key in ('lines', 'branches', 'regions'))}")
    print("lines that no input reaches: .build-fuzz/coverage.txt")
    return_code = 0
    for key, least in (("lines", LINES_MIN), ("branches", BRANCHES_MIN), ("regions", BRANCHES_MIN)):
        percent = 100 * sums[key][0] / sums[key][1]
        if percent < least:
            print(f"{percent:.1f} % of the {key} are less than {least} %")
            return_code = 1
    return return_code


def cell(covered, count):
    return f"{covered}/{count} {100 * covered / count:5.1f}%".rjust(16) if count else " " * 16
