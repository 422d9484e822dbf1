#!/bin/sh
# A session of the command line on the iris data shipped with the package, in a temporary folder.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

run() {
    printf '\n$ %s\n' "$*"
    "$@"
}

run suffice demo iris -o iris.csv
run suffice train iris.csv --target kind -o iris.model

printf '\nThree unlabelled flowers:\n'
head -n 1 iris.csv | sed 's/,[^,]*$//' | tee new.csv
printf '5.0,3.4,1.5,0.2\n6.0,2.7,4.9,1.7\n6.7,3.1,5.6,2.4\n' | tee -a new.csv

run suffice predict iris.model new.csv
run suffice explain iris.model new.csv --row 2
printf '\nLearn a label of the second one, and forget it again:\n'
printf '%s,kind\n6.0,2.7,4.9,1.7,versicolor\n' "$(head -n 1 new.csv)" > named.csv
run suffice learn iris.model named.csv -o next.model
run suffice forget next.model named.csv -o back.model
printf '\nOther examples: suffice demo tennis, spam, digits or heights. All commands: suffice --help\n'
