# Prints what zsh offers for $LINE with the completion in $SITE, one word a line. Run by zsh -f.
#
# Completion works only where somebody edits a line: a second zsh runs behind a terminal of its
# own (zpty), gets the line and a Tab, and writes the words down that it was given to offer.
zmodload zsh/zpty || exit 1
: > "$OFFERED"
zpty shell zsh -f -i
{
    zpty -w shell "PS1= PS2= ; stty -echo; fpath=('$SITE' \$fpath)"
    zpty -w shell "autoload -Uz compinit; compinit -u -D"
    # Every word goes through compadd; one that fits what stands there is put into an array by it.
    zpty -w shell "compadd() {
        local -a fitting
        if [[ \${@[(I)-(O|A|D)]} -gt 0 ]]; then builtin compadd \"\$@\"; return; fi
        builtin compadd -A fitting \"\$@\"
        (( \$#fitting )) && print -rl -- \"\${fitting[@]}\" >> '$OFFERED'
        builtin compadd \"\$@\"
    }"
    zpty -w shell "finish() { print -r -- DONE >> '$OFFERED'; exit }; zle -N finish"
    zpty -w shell "bindkey '^I' complete-word; bindkey '^X' finish"
    zpty -w -n shell "$LINE"$'\t\x18'
    # The shell ends by itself behind the completion.
    while zpty -r shell > /dev/null 2>&1; do :; done
} always {
    zpty -d shell 2> /dev/null
}
grep -vx DONE "$OFFERED"
