#compdef tfprof
# SPDX-License-Identifier: Apache-2.0
# Completion of tfprof for zsh.
# Made by: tfprof --completion zsh

# Each is "name:meaning".
local -a commands topics
commands=(
@COMMANDS@)
topics=(@TOPICS@)

# By option: what it means, what stands behind it (nothing: a text), and the commands that read it
# (nothing: the program).
local -A meaning kind values readers
meaning=(
@MEANINGS@)
kind=(
@KINDS@)
values=(
@VALUES@)
readers=(
@READERS@)

# The first word that is a command.
local command word name
local -i i
for ((i = 2; i < CURRENT; i++)); do
  word=$words[i]
  if [[ $word == -?* ]]; then
    name=${${word#-}#-}
    [[ $word == *=* || $kind[$name] == (alone|boolean) ]] || ((++i))
  elif (( $commands[(I)$word:*] )); then
    command=$word
    break
  fi
done

# The option whose value is typed.
name=
local before=$words[CURRENT-1]
if [[ $PREFIX == -*=* ]]; then
  name=${${${PREFIX%%=*}#-}#-}
  compset -P 1 '*='
elif (( CURRENT > 2 )) && [[ $before == -?* && $before != *=* ]]; then
  name=${${before#-}#-}
  [[ $kind[$name] == alone ]] && name=
  [[ $kind[$name] == boolean && $PREFIX == -* ]] && name=
fi

if [[ -n $name ]]; then
  case $kind[$name] in
    word|boolean) compadd -- ${=values[$name]} ;;
    list) compset -P '*,'; compadd -S '' -- ${=values[$name]} ;;
    file) _files ;;
    output)
      if compset -P 'file:outfile='; then
        _files
      else
        compadd -S '' -- ${=values[$name]}
      fi ;;
    *) _message "$name" ;;
  esac
  return
fi

if [[ $PREFIX == -* ]]; then
  local dashes=-
  [[ $PREFIX == --* ]] && dashes=--
  local -a options
  for name in ${(k)meaning}; do
    [[ -z $command || -z $readers[$name] || " $readers[$name] " == *" $command "* ]] || continue
    options+=("$dashes$name:$meaning[$name]")
  done
  _describe -o option options
elif [[ $command == help ]]; then
  _describe command commands
  compadd -- $topics
else
  [[ -n $command ]] || _describe command commands
  _files
fi
