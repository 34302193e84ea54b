/// What bash completes: tables as functions, and a function that looks into them.
///
/// Needs nothing besides bash 4.4: the functions of the package bash-completion need not be there.
enum BashCompletions {
    /// The script.
    static var script: String {
        ([heading] + tables + [engine]).joined(separator: "\n")
    }

    private static let heading = """
        # bash completion for hoga, made by `hoga completions bash`. For one shell:
        #     source <(hoga completions bash)
        # For all: put it into $XDG_DATA_HOME/bash-completion/completions/hoga.
        """

    private static var tables: [String] {
        let next = CompletionTable.beginnings.map { words, next in
            let general = words.isEmpty ? CompletionTable.general.map(\.text) : []
            return entry(words.joined(separator: " "), next.map(\.text) + general)
        }
        let flags = Command.allCases.map { command in
            entry(command.rawValue, CompletionTable.flags(of: command).map(\.text))
        }
        let values = CompletionTable.valuedFlags.map { flag in
            entry(flag.text, kind(flag.values ?? .none))
        }
        let operands = Command.allCases.flatMap { command in
            zip(1..., command.operands).map { place, operand in
                entry("\(command.rawValue) \(place)", kind(operand.values))
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
            esac
        }

        """
    }

    private static func entry(_ key: String, _ words: [String]) -> String {
        "'\(key)') echo '\(words.joined(separator: " "))' ;;"
    }

    /// A word that says what to do with those behind it.
    static func kind(_ values: CompletionValues) -> [String] {
        switch values {
        case .none: ["none"]
        case .words(let words): ["words"] + words
        case .list(let words): ["list"] + words
        case .files: ["files"]
        case .filesOr(let words): ["files"] + words
        }
    }

    private static let engine = #"""
        # Offers what begins with the value: $1 kind and words, $2 the value so far, $3 what stands
        # before it in the same word.
        __hoga_offer() {
            local kind=${1%% *} words=${1#* } value=$2 before=$3 offered=() index
            [[ $1 == *' '* ]] || words=''
            case $kind in
                words) mapfile -t offered < <(compgen -W "$words" -- "$value") ;;
                list)
                    compopt -o nospace
                    [[ $value != *,* ]] || before+=${value%,*},
                    mapfile -t offered < <(compgen -W "$words" -- "${value##*,}")
                    ;;
                files)
                    # Names with blanks are left to the shell, which knows how they are quoted.
                    compopt -o filenames -o default
                    mapfile -t offered < <(compgen -W "$words" -- "$value"; compgen -f -- "$value")
                    ;;
            esac
            for index in "${!offered[@]}"; do
                [[ ${offered[index]} != *: ]] || compopt -o nospace
                COMPREPLY+=("$before${offered[index]}")
            done
        }

        _hoga() {
            local IFS=$' \t\n' line=${COMP_LINE:0:COMP_POINT} part=${COMP_WORDS[COMP_CWORD]}
            local words=() current='' command='' waiting='' place=1 count word kind index
            COMPREPLY=()
            read -ra words <<< "$line"
            if [[ $line != *[[:space:]] ]]; then
                current=${words[-1]}
                unset 'words[-1]'
            fi
            words=("${words[@]:1}")
            # The words of the command come first: the longest that are one.
            for count in 3 2 1; do
                [[ ${#words[@]} -ge $count ]] || continue
                word="${words[*]:0:count}"
                if [[ -n $(__hoga_flags "$word") ]]; then
                    command=$word
                    words=("${words[@]:count}")
                    break
                fi
            done
            if [[ -z $command ]]; then
                __hoga_offer "words $(__hoga_next "${words[*]}")" "$current" ''
                return
            fi
            for word in "${words[@]}"; do
                if [[ -n $waiting ]]; then waiting=''
                elif [[ $word == --*=* ]]; then :
                elif [[ $word == --* && -n $(__hoga_values "$word") ]]; then waiting=$word
                elif [[ $word != -?* ]]; then place=$((place + 1))
                fi
            done
            if [[ -n $waiting ]]; then
                __hoga_offer "$(__hoga_values "$waiting")" "$current" ''
            elif [[ $current == --*=* ]]; then
                kind=$(__hoga_values "${current%%=*}")
                [[ -z $kind ]] || __hoga_offer "$kind" "${current#*=}" "${current%%=*}="
            else
                kind=$(__hoga_operand "$command $place")
                if [[ $current == -* || -z $kind || $kind == none ]]; then
                    kind="words $(__hoga_flags "$command")"
                fi
                __hoga_offer "$kind" "$current" ''
            fi
            # bash takes = and : for ends of words: what stands before them is there already.
            [[ $part != [=:] ]] || part=''
            for index in "${!COMPREPLY[@]}"; do
                COMPREPLY[index]=${COMPREPLY[index]#"${current%"$part"}"}
            done
        }

        complete -F _hoga hoga
        """#
}
