# Completion of ldb, sst_dump and the readers of traces for bash. What there is
# to complete is asked of the programs themselves, so that it is never stale.

_ldb() {
  local current=${COMP_WORDS[COMP_CWORD]} program=${COMP_WORDS[0]}
  local command="" i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    if [[ ${COMP_WORDS[i]} != -* && ${COMP_WORDS[i]} != = &&
          ${COMP_WORDS[i - 1]} != = && -z $command ]]; then
      command=${COMP_WORDS[i]}
    fi
  done
  local help
  if [[ -z $command || $command == help ]]; then
    help=$("$program" --help 2> /dev/null)
    if [[ $current == -* ]]; then
      COMPREPLY=($(compgen -W "$(grep -o -e '--[a-z_]*=\?' <<< "$help")" \
        -- "$current"))
    else
      COMPREPLY=($(compgen -W "help $(sed -n 's/^  \([a-z_]\+\).*/\1/p' \
        <<< "$help")" -- "$current"))
    fi
  else
    help=$("$program" help "$command"; "$program" --help)
    COMPREPLY=($(compgen -W "$(grep -o -e '--[a-z_]*=\?' <<< "$help")" \
      -- "$current") $(compgen -f -- "$current"))
  fi
  [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace
  return 0
} 2> /dev/null

_sst_dump() {
  local current=${COMP_WORDS[COMP_CWORD]}
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" --help |
      grep -o -e '--[a-z_]*=\?')" -- "$current"))
    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace
  else
    COMPREPLY=($(compgen -f -- "$current"))
  fi
  return 0
}

# Flags are listed as "    -name (what it does)".
_trace_tool() {
  local current=${COMP_WORDS[COMP_CWORD]}
  if [[ $current == -* && $current != *=* ]]; then
    COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" --help |
      sed -n 's/^    -\([a-z_]\{1,\}\) .*/--\1/p')" -- "$current"))
  else
    COMPREPLY=($(compgen -f -- "${current#*=}"))
  fi
  return 0
}

complete -F _ldb ldb
complete -F _sst_dump sst_dump
complete -F _trace_tool trace_analyzer block_cache_trace_analyzer \
  io_tracer_parser
