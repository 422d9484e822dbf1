#!/bin/sh
# The command line on the iris data shipped with the package: no Python code, no files left behind.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

say() {
    printf '\n$ %s\n' "$*"
    "$@"
}

say suffice demo iris -o iris.csv
say suffice train iris.csv --target kind -o iris.model

printf '\nThree flowers that nobody has named:\n'
head -n 1 iris.csv | sed 's/,[^,]*$//' | tee new.csv
printf '5.0,3.4,1.5,0.2\n6.0,2.7,4.9,1.7\n6.7,3.1,5.6,2.4\n' | tee -a new.csv

say suffice predict iris.model new.csv
say suffice explain iris.model new.csv --row 2
printf '\nSomebody names the second one, and takes it back; the sums are then what they were:\n'
printf '%s,kind\n6.0,2.7,4.9,1.7,versicolor\n' "$(head -n 1 new.csv)" > named.csv
say suffice learn iris.model named.csv -o next.model
say suffice forget next.model named.csv -o back.model
printf '\nOther examples: suffice demo tennis, spam, digits or heights. Every verb: suffice --help\n'
