#!/usr/bin/env bash
# OpenTelemetry's file_log receiver 0.165.1 writes down that lines are read before the next component has them, unless
# the feature gate stanza.synchronousLogEmitter is on.
#
# A guess would be that storage lets a killed collector go on with the first line that it has not delivered. Up to 99
# lines wait for 100 ms, or for as long as the next component takes, beside a place in the file that is stored; a kill -9
# loses them. With the gate, which is off by default, the receiver waits.
#
# The first build takes minutes. Seen on 2026-11-29 with Go 1.26.8: the lines at the end of this file.
set -euo pipefail
work=$(mktemp -d)
trap 'chmod -R u+w "$work" && rm -rf "$work"' EXIT
cd "$work"

cat >main.go <<'END'
package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/open-telemetry/opentelemetry-collector-contrib/extension/storage/filestorage"
	"github.com/open-telemetry/opentelemetry-collector-contrib/receiver/filelogreceiver"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/extension/extensiontest"
	"go.opentelemetry.io/collector/featuregate"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/receiver/receivertest"
)

type host struct{ storage component.Component }

func (h host) GetExtensions() map[component.ID]component.Component {
	return map[component.ID]component.Component{component.MustNewID("file_storage"): h.storage}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	if os.Args[1] == "on" {
		must(featuregate.GlobalRegistry().Set("stanza.synchronousLogEmitter", true))
	}
	accepts := os.Args[2] == "accepts"
	must(os.MkdirAll("state", 0o755))
	must(os.WriteFile("app.log", []byte(strings.Repeat("a line\n", 50)), 0o644))

	ctx := context.Background()
	storage := filestorage.NewFactory()
	state := storage.CreateDefaultConfig()
	must(confmap.NewFromStringMap(map[string]any{"directory": "state"}).Unmarshal(state))
	extension, err := storage.Create(ctx, extensiontest.NewNopSettings(storage.Type()), state)
	must(err)
	must(extension.Start(ctx, host{}))

	var delivered atomic.Int64
	next, err := consumer.NewLogs(func(_ context.Context, logs plog.Logs) error {
		if !accepts {
			select {} // takes for ever
		}
		delivered.Add(int64(logs.LogRecordCount()))
		return nil
	})
	must(err)
	factory := filelogreceiver.NewFactory()
	config := factory.CreateDefaultConfig()
	must(confmap.NewFromStringMap(map[string]any{
		"include":  []any{"app.log"},
		"start_at": "beginning",
		"storage":  "file_storage",
	}).Unmarshal(config))
	settings := receivertest.NewNopSettings(factory.Type())
	settings.ID = component.NewID(factory.Type()) // by which it finds what it has stored
	logs, err := factory.CreateLogs(ctx, settings, config, next)
	must(err)
	must(logs.Start(ctx, host{extension}))
	time.Sleep(2 * time.Second)
	if accepts {
		fmt.Printf("gate %s: after a kill %d of 50 lines are delivered\n", os.Args[1], delivered.Load())
	}
	os.Exit(0) // without a shutdown, as a kill
}
END
export GOFLAGS=-modcacherw
go mod init finding >/dev/null 2>&1
go get github.com/open-telemetry/opentelemetry-collector-contrib/receiver/filelogreceiver@v0.165.1 \
  github.com/open-telemetry/opentelemetry-collector-contrib/extension/storage/filestorage@v0.165.1 \
  go.opentelemetry.io/collector/receiver/receivertest@v0.165.0 go.opentelemetry.io/collector/extension/extensiontest@v0.165.0 2>/dev/null
go mod tidy 2>/dev/null
go build -o main .
for gate in off on; do
  ./main $gate hangs
  ./main $gate accepts
  rm -r state
done | tee seen

diff - seen <<'END' || { echo "The behaviour has changed." >&2; exit 1; }
gate off: after a kill 0 of 50 lines are delivered
gate on: after a kill 50 of 50 lines are delivered
END
