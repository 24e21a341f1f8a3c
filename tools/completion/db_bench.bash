# Completion of db_bench for bash: its flags and the names of its benchmarks, as
# the program itself lists them.

_db_bench() {
  local current=${COMP_WORDS[COMP_CWORD]} program=${COMP_WORDS[0]}
  local previous=${COMP_WORDS[COMP_CWORD - 1]}
  # --benchmarks=a,b: bash parts words at the equals sign.
  if [[ $current == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD - 1]}
    current=""
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  if [[ $previous == --benchmarks ]]; then
    local head=""
    [[ $current == *,* ]] && head=${current%,*},
    COMPREPLY=($(compgen -P "$head" \
      -W "$("$program" --list_benchmarks 2> /dev/null)" -- "${current##*,}"))
    compopt -o nospace
  elif [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$("$program" --helpxml 2> /dev/null |
      sed -n 's|.*<file>[^<]*db_bench[^<]*</file><name>\([^<]*\)</name>.*|--\1=|p')" \
      -- "$current"))
    compopt -o nospace
  else
    COMPREPLY=($(compgen -f -- "$current"))
  fi
  return 0
} 2> /dev/null

complete -F _db_bench db_bench
