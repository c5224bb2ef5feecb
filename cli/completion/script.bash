# Completion of tfprof for bash.
# SPDX-License-Identifier: Apache-2.0
# Made by: tfprof --completion bash
#
# Bash splits words at = and : too, and replaces only the last piece: first the typed pieces are
# joined, finally the part of each candidate that is already typed is dropped.

__tfprof_commands='@COMMANDS@'
__tfprof_topics='@TOPICS@'

# The options that the command $1 reads; without a command all.
__tfprof_options() {
  case $1 in
@OPTIONS_OF@    *) echo '@ALL@' ;;
  esac
}

# What stands behind the option $1: sets kind and names.
__tfprof_value_of() {
  kind=text names=
  case $1 in
@VALUES@  esac
}

# The words up to the cursor: sets words, the last of which is being typed.
__tfprof_words() {
  local i piece last=-1
  words=()
  for ((i = 1; i <= COMP_CWORD; i++)); do
    piece=${COMP_WORDS[i]}
    if ((last >= 0)) && [[ $piece == [=:]* || ${words[last]} == *[=:] ]]; then
      words[last]+=$piece
    else
      words[++last]=$piece
    fi
  done
}

# The first of words but the last that is a command: sets command.
__tfprof_find_command() {
  local i word kind names
  command=
  for ((i = 0; i < ${#words[@]} - 1; i++)); do
    word=${words[i]}
    if [[ $word == -?* ]]; then
      word=${word#-}
      __tfprof_value_of "${word#-}"
      [[ $word == *=* || $kind == alone || $kind == boolean ]] || ((++i))
    elif [[ " $__tfprof_commands " == *" $word "* ]]; then
      command=$word
      return
    fi
  done
}

# Adds those of the words $1 that begin with $2, each behind $3.
__tfprof_add() {
  local name
  while IFS= read -r name; do
    [[ -n $name ]] && COMPREPLY+=("$3$name")
  done < <(compgen -W "$1" -- "$2")
}

# The same for files.
__tfprof_add_files() {
  local name
  compopt -o filenames 2>/dev/null
  while IFS= read -r name; do
    COMPREPLY+=("$2$name")
  done < <(compgen -f -- "$1")
}

# Values of the kind `kind` for what is typed, $1, behind $2.
__tfprof_add_values() {
  local head=
  case $kind in
    word | boolean) __tfprof_add "$names" "$1" "$2" ;;
    file) __tfprof_add_files "$1" "$2" ;;
    list)
      [[ $1 == *,* ]] && head=${1%,*},
      __tfprof_add "$names" "${1##*,}" "$2$head"
      compopt -o nospace 2>/dev/null
      ;;
    output)
      if [[ $1 == file:outfile=* ]]; then
        __tfprof_add_files "${1#file:outfile=}" "$2file:outfile="
      else
        __tfprof_add "$names" "$1" "$2"
        compopt -o nospace 2>/dev/null
      fi
      ;;
  esac
}

_tfprof() {
  local words command kind=alone names name dashes current before= i
  COMPREPLY=()
  __tfprof_words
  __tfprof_find_command
  i=$((${#words[@]} - 1))
  current=${words[i]}
  ((i > 0)) && before=${words[i - 1]}
  if [[ $before == -?* && $before != *=* ]]; then
    name=${before#-}
    __tfprof_value_of "${name#-}"
    [[ $kind == boolean && $current == -* ]] && kind=alone
  fi
  if [[ $kind != alone ]]; then
    __tfprof_add_values "$current" ''
  elif [[ $current == -*=* ]]; then
    name=${current%%=*} name=${name#-}
    __tfprof_value_of "${name#-}"
    __tfprof_add_values "${current#*=}" "${current%%=*}="
  elif [[ $current == -* ]]; then
    dashes=-
    [[ $current == --* ]] && dashes=--
    __tfprof_add "$(__tfprof_options "$command")" "${current#$dashes}" "$dashes"
  elif [[ $command == help ]]; then
    __tfprof_add "$__tfprof_commands $__tfprof_topics" "$current" ''
  else
    [[ -n $command ]] || __tfprof_add "$__tfprof_commands" "$current" ''
    __tfprof_add_files "$current" ''
  fi
  local typed=${current%"${current##*[=:]}"}
  for i in "${!COMPREPLY[@]}"; do
    COMPREPLY[i]=${COMPREPLY[i]#"$typed"}
  done
}

complete -F _tfprof tfprof
