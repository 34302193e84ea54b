/// What zsh completes: tables as functions, and a function that looks into them.
enum ZshCompletions {
    /// The script, as a file of the name `_hoga` in a folder of `$fpath`.
    static var script: String {
        ([heading] + tables + [engine]).joined(separator: "\n")
    }

    private static let heading = """
        #compdef hoga
        # zsh completion for hoga, made by `hoga completions zsh`: put it as _hoga into a folder of
        # $fpath, before compinit runs.

        """

    private static var tables: [String] {
        let next = CompletionTable.beginnings.map { words, next in
            let general = words.isEmpty ? CompletionTable.general : []
            let rows = next.map { ($0.text, $0.summary) } + general.map { ($0.text, $0.summary) }
            return entry(words.joined(separator: " "), rows)
        }
        let flags = Command.allCases.map { command in
            entry(
                command.rawValue,
                CompletionTable.flags(of: command).map { ($0.text, $0.summary) }
            )
        }
        let values = CompletionTable.valuedFlags.map { flag in
            entry(flag.text, BashCompletions.kind(flag.values ?? .none))
        }
        let operands = Command.allCases.flatMap { command in
            zip(1..., command.operands).map { place, operand in
                entry("\(command.rawValue) \(place)", BashCompletions.kind(operand.values))
            }
        }
        return [
            table("next", "what may follow the beginning of a command", next),
            table("flags", "the flags of a command", flags),
            table("values", "what a flag's value may be; nothing for one without", values),
            table("operand", "what a command's operand of that number may be", operands),
        ]
    }

    private static func table(_ name: String, _ summary: String, _ entries: [String]) -> String {
        """
        # \(summary)
        __hoga_\(name)() {
            case $1 in
        \(entries.map { "        " + $0 }.joined(separator: "\n"))
                (*) reply=() ;;
            esac
        }

        """
    }

    private static func entry(_ key: String, _ rows: [(String, String)]) -> String {
        let words = rows.map { text, summary in
            quoted(text.replacing(":", with: "\\:") + ":" + summary)
        }
        return "(\(quoted(key))) reply=(\(words.joined(separator: " "))) ;;"
    }

    private static func entry(_ key: String, _ words: [String]) -> String {
        "(\(quoted(key))) reply=(\(words.map(quoted).joined(separator: " "))) ;;"
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("'", with: #"'\''"#) + "'"
    }

    private static let engine = #"""
        # Offers a value: the kind, and the words of it.
        __hoga_offer() {
            local kind=$1
            local -a offered=("${@[2,-1]}")
            case $kind in
                (words) compadd -a offered ;;
                (list)
                    compset -P '*,'
                    compadd -S , -q -a offered
                    ;;
                (files)
                    (( $#offered )) && compadd -a offered
                    _files
                    ;;
                (none) _message 'a value of your own' ;;
            esac
        }

        _hoga() {
            local -a before reply rows
            local command='' waiting='' word
            local -i count place=1
            before=("${(@)words[2,CURRENT-1]}")
            # The words of the command come first: the longest that are one.
            for count in 3 2 1; do
                (( $#before >= count )) || continue
                __hoga_flags "${(j: :)before[1,count]}"
                if (( $#reply )); then
                    command="${(j: :)before[1,count]}"
                    before=("${(@)before[count+1,-1]}")
                    break
                fi
            done
            if [[ -z $command ]]; then
                __hoga_next "${(j: :)before}"
                rows=("${reply[@]}")
                _describe -t commands 'command of hoga' rows
                return
            fi
            for word in "${before[@]}"; do
                if [[ -n $waiting ]]; then
                    waiting=''
                elif [[ $word == --*=* ]]; then
                    continue
                elif [[ $word == --* ]]; then
                    __hoga_values "$word"
                    (( $#reply )) && waiting=$word
                elif [[ $word != -?* ]]; then
                    (( place += 1 ))
                fi
            done
            if [[ -n $waiting ]]; then
                __hoga_values "$waiting"
                __hoga_offer "${reply[@]}"
            elif [[ $PREFIX == --*=* ]]; then
                __hoga_values "${PREFIX%%=*}"
                compset -P 1 '*='
                (( $#reply )) && __hoga_offer "${reply[@]}"
            else
                __hoga_operand "$command $place"
                if [[ $PREFIX == -* || $#reply -eq 0 || $reply[1] == none ]]; then
                    __hoga_flags "$command"
                    rows=("${reply[@]}")
                    _describe -t flags 'flag' rows -o
                else
                    __hoga_offer "${reply[@]}"
                fi
            fi
        }

        _hoga "$@"
        """#
}
