#!/usr/bin/env bash
# OpenTelemetry's file_log receiver 0.165.1 with compression: auto reads a file twice that it finds while it is being
# packed.
#
# A guess would be that it knows the packed file by its first bytes, skips what it has read of the plain one, and waits
# while there is less. It does know it; but while the packed file does not hold so much, the skip fails, and the next
# look, which has forgotten how much to skip, begins at the start. Here it finds half of the lines, and has them twice.
# If the file is complete when it first looks, each line comes once.
#
# The first build takes minutes. Seen on 2026-11-29 with Go 1.26.8: the lines at
# the end of this file.
set -euo pipefail
work=$(mktemp -d)
trap 'chmod -R u+w "$work" && rm -rf "$work"' EXIT
cd "$work"

cat >main.go <<'END'
package main

import (
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/open-telemetry/opentelemetry-collector-contrib/receiver/filelogreceiver"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/receiver"
	"go.opentelemetry.io/collector/receiver/receivertest"
)

const lines = 2000

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	for _, slow := range []bool{false, true} {
		directory, err := os.MkdirTemp("", "finding")
		must(err)
		var read atomic.Int64
		next, err := consumer.NewLogs(func(_ context.Context, logs plog.Logs) error {
			read.Add(int64(logs.LogRecordCount()))
			return nil
		})
		must(err)
		factory := filelogreceiver.NewFactory()
		config := factory.CreateDefaultConfig()
		must(confmap.NewFromStringMap(map[string]any{
			"include":     []any{filepath.Join(directory, "app*.log"), filepath.Join(directory, "app*.gz")},
			"start_at":    "beginning",
			"compression": "auto",
		}).Unmarshal(config))
		settings := receivertest.NewNopSettings(factory.Type())
		logs, err := factory.CreateLogs(context.Background(), receiver.Settings(settings), config, next)
		must(err)
		must(logs.Start(context.Background(), componenttest.NewNopHost()))

		var text []byte
		for i := range lines {
			text = fmt.Appendf(text, "%04d %015x\n", i, i*i*i*7919)
		}
		log := filepath.Join(directory, "app.log")
		must(os.WriteFile(log, text, 0o644))
		for read.Load() < lines {
			time.Sleep(50 * time.Millisecond)
		}
		must(os.Rename(log, log+".tmp")) // as Logback does while it packs
		file, err := os.Create(filepath.Join(directory, "app.1.log.gz"))
		must(err)
		packer := gzip.NewWriter(file)
		packer.Write(text[:len(text)/2])
		if slow {
			packer.Flush()
			time.Sleep(time.Second) // it looks every 200 ms
		}
		packer.Write(text[len(text)/2:])
		packer.Close()
		file.Close()
		os.Remove(log + ".tmp")
		time.Sleep(2 * time.Second)
		fmt.Printf("seen while being packed: %v: of %d lines %d read\n", slow, lines, read.Load())
		logs.Shutdown(context.Background())
		os.RemoveAll(directory)
	}
}
END
export GOFLAGS=-modcacherw
go mod init finding >/dev/null 2>&1
go get github.com/open-telemetry/opentelemetry-collector-contrib/receiver/filelogreceiver@v0.165.1 \
  go.opentelemetry.io/collector/receiver/receivertest@v0.165.0 2>/dev/null
go mod tidy 2>/dev/null
go run . | tee seen

diff - seen <<'END' || { echo "The behaviour has changed." >&2; exit 1; }
seen while being packed: false: of 2000 lines 2000 read
seen while being packed: true: of 2000 lines 3000 read
END
