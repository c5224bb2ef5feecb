# Completion of tfprof for fish.
# SPDX-License-Identifier: Apache-2.0
# Made by: tfprof --completion fish

# Prints the first word that is a command, if there is one.
function __tfprof_command
    for word in (commandline -opc)[2..-1]
        if contains -- $word @COMMANDS@
            echo $word
            return 0
        end
    end
    return 1
end

# Whether there is no command yet, or one of these.
function __tfprof_reads
    set -l command (__tfprof_command)
    or return 0
    contains -- $command $argv
end

# What is typed before the last comma, and each of these behind it.
function __tfprof_list
    set -l typed (string match -r -- '^.*,' (commandline -ct | string replace -r -- '^-[^=]*=' ''))
    printf '%s\n' $typed$argv
end

