#!/usr/bin/env bash
# Go's nxadm/tail 1.4.11 that polls loses what was written between its last look and a rename; the same by inotify does
# not.
#
# A guess would be that both read the open file to its end once they notice that the name leads to another file. The one
# that polls closes it at once: up to 250 ms of lines go at each roll, though they are in the rolled file.
#
# Seen on 2026-11-28 with Go 1.26.8: the lines at the end of this file.
set -euo pipefail
work=$(mktemp -d)
trap 'chmod -R u+w "$work" && rm -rf "$work"' EXIT
cd "$work"

cat >main.go <<'END'
package main

import (
	"fmt"
	"os"
	"time"

	"github.com/nxadm/tail"
)

func add(text string) {
	file, err := os.OpenFile("app.log", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		panic(err)
	}
	file.WriteString(text)
	file.Close()
}

func main() {
	for _, poll := range []bool{false, true} {
		os.RemoveAll("app.log")
		add("one\n")
		follower, err := tail.TailFile("app.log", tail.Config{ReOpen: true, Follow: true, Poll: poll, Logger: tail.DiscardingLogger})
		if err != nil {
			panic(err)
		}
		fmt.Printf("poll %v:", poll)
		fmt.Printf(" %s", (<-follower.Lines).Text)
		time.Sleep(500 * time.Millisecond)
		add("two\n") // a roll, at once
		os.Rename("app.log", "app.1.log")
		add("three\n")
		end := time.After(3 * time.Second)
		for more := true; more; {
			select {
			case line := <-follower.Lines:
				fmt.Printf(" %s", line.Text)
			case <-end:
				more = false
			}
		}
		fmt.Println()
	}
}
END
export GOFLAGS=-modcacherw
go mod init finding >/dev/null 2>&1
go get github.com/nxadm/tail@v1.4.11 2>/dev/null
go run . | tee seen

diff - seen <<'END' || { echo "The behaviour has changed." >&2; exit 1; }
poll false: one two three
poll true: one three
END
