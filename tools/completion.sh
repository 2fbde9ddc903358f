#!/bin/sh
# Prints completions of the command for a shell: tools/completion.sh SPORF bash|zsh|fish
# Verbs, options and choices are those of the help screens, which come from the command's own tables.
set -eu

sporf=$1 shell=$2

# One line for each verb: "verb NAME SUMMARY"; for each option: "option VERB NAME VALUE CHOICES HELP",
# parted by tabs. Choices are words with '|' between them, or nothing.
tables() {
    "$sporf" help | awk '/^  [a-z-]+  +/ { name = $1; $1 = ""; print "verb\t" name "\t" substr($0, 2) }'
    for verb in $("$sporf" help | awk '/^  [a-z-]+  +/ { print $1 }'); do
        [ "$verb" = help ] || "$sporf" "$verb" --help | awk -v verb="$verb" '
            function flush(   choices) {
                if (name == "") return
                choices = ""
                if (match(text, /\[[a-z0-9-]+(\|[a-z0-9-]+)+[];]/)) choices = substr(text, RSTART + 1, RLENGTH - 2)
                sub(/ *\[[^]]*\]$/, "", text)
                print "option\t" verb "\t" name "\t" value "\t" choices "\t" text
                name = ""
            }
            /^  --/ {
                flush()
                name = substr($1, 3); $1 = ""
                value = ($2 ~ /^\[?[A-Z]/) ? $2 : ""
                if (value != "") $2 = ""
                sub(/^ +/, ""); text = $0
                next
            }
            /^    / && name != "" { sub(/^ +/, ""); text = text (text == "" ? "" : " ") $0; next }
            { flush() }
            END { flush() }'
    done
}

# Common to bash and zsh: a `case` of "VERB --OPTION" that sets `choices`, and one of VERB that
# sets `options`.
cases() {
    awk -F '\t' '
        $1 == "option" && $5 != "" { gsub(/\|/, " ", $5); print "    \"" $2 " --" $3 "\") choices=\"" $5 "\" ;;" }
        $1 == "option" && !($2 in options) { verb[++count] = $2 }
        $1 == "option" { options[$2] = options[$2] " --" $3 }
        END {
            print "    esac\n    case $verb in"
            for (i = 1; i <= count; i++) print "    " verb[i] ") options=\"" substr(options[verb[i]], 2) "\" ;;"
        }'
}

verbs() { awk -F '\t' '$1 == "verb" { printf "%s%s", between, $2; between = " " }'; }

table=$(tables)
case $shell in
bash)
    cat <<END
# Completion of sporf for bash.
_sporf() {
    local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} verb=\${COMP_WORDS[1]} choices= options=
    COMPREPLY=()
    case "\$verb \$before" in
$(printf '%s\n' "$table" | cases)
    help) [ "\$COMP_CWORD" -eq 2 ] && choices="$(printf '%s\n' "$table" | verbs)" ;;
    esac
    [ "\$COMP_CWORD" -eq 1 ] && choices="$(printf '%s\n' "$table" | verbs) --help --version"
    case \$current in -*) choices=\${choices:-\$options} ;; esac
    COMPREPLY=(\$(compgen -W "\$choices" -- "\$current"))
}
complete -o default -F _sporf sporf
END
    ;;
zsh)
    cat <<END
#compdef sporf
# Completion of sporf for zsh.
_sporf() {
    local verb=\$words[2] before=\$words[CURRENT-1] current=\$words[CURRENT] at=\$CURRENT choices= options=
    case "\$verb \$before" in
$(printf '%s\n' "$table" | cases)
    help) [[ \$at == 3 ]] && choices="$(printf '%s\n' "$table" | verbs)" ;;
    esac
    [[ \$at == 2 ]] && choices="$(printf '%s\n' "$table" | verbs) --help --version"
    [[ \$current == -* ]] && choices=\${choices:-\$options}
    if [[ -n \$choices ]]; then compadd -- \${=choices}; else _files; fi
}
_sporf "\$@"
END
    ;;
fish)
    echo "# Completion of sporf for fish."
    printf '%s\n' "$table" | awk -F '\t' '
        function quoted(text) { gsub(/[\\\x27]/, "\\\\&", text); return "\x27" text "\x27" }
        $1 == "verb" { print "complete -c sporf -n __fish_use_subcommand -f -a " $2 " -d " quoted($3) }
        $1 == "option" {
            gsub(/\|/, " ", $5)
            kind = $4 == "" ? "" : $5 == "" ? " -r" : " -x -a " quoted($5)
            print "complete -c sporf -n \x27__fish_seen_subcommand_from " $2 "\x27 -l " $3 kind " -d " quoted($6)
        }'
    ;;
*)
    echo "usage: tools/completion.sh SPORF bash|zsh|fish" >&2
    exit 2
    ;;
esac
