# Mounts an image and keeps it until its input ends.
# Arguments: image, mount point, bytes a second (0: no limit), dirty bytes (0: no limit).
# The two limits are of this loop device alone, and are taken back before it is given back.
# Ctrl-C reaches this shell too; it must not end before whoever started it does.
trap '' INT TERM HUP
image=$1
point=$2
rate=$3
dirty=$4

# Direct where the disk below can: its page cache would hide how long it takes.
device=$(losetup --find --show --direct-io=on "$image" 2>/dev/null) ||
  device=$(losetup --find --show "$image") || exit 1
if ! mount -o noatime "$device" "$point"; then
  losetup -d "$device"
  exit 1
fi
block=/sys/block/${device##*/}/dev
throttle=/sys/fs/cgroup/blkio/blkio.throttle.write_bps_device

slow_down() {
  number=$(cat "$block")
  cache=/sys/class/bdi/$number
  if [ "$dirty" -gt 0 ] && [ -w "$cache/max_bytes" ]; then
    share=$(cat "$cache/max_ratio")
    echo 1 >"$cache/strict_limit"
    echo "$dirty" >"$cache/max_bytes"
  fi
  if [ "$rate" -gt 0 ] && [ -w "$throttle" ]; then
    echo "$number $rate" >"$throttle"
  fi
}

speed_up() {
  if [ "$rate" -gt 0 ] && [ -w "$throttle" ]; then
    echo "$number 0" >"$throttle"
  fi
  if [ -n "$share" ]; then
    echo "$share" >"$cache/max_ratio"
    echo 0 >"$cache/strict_limit"
  fi
}

# Takes at once what is free, then the rest until no byte is left.
fill() {
  free=$(df --output=avail -B1 "$point" | tail -n 1)
  fallocate -l "$free" "$point/ballast" 2>/dev/null
  dd if=/dev/zero of="$point/ballast-rest" bs=4k 2>/dev/null
  return 0
}

share=
if [ "$rate" -gt 0 ] || [ "$dirty" -gt 0 ]; then
  slow_down
fi
echo mounted
while read -r command; do
  case $command in
    sync) sync -f "$point" && echo synced ;;
    freeze) fsfreeze -f "$point" && echo frozen ;;
    thaw) fsfreeze -u "$point" && echo thawed ;;
    fill) fill && echo filled ;;
    empty) rm -f "$point/ballast" "$point/ballast-rest" && echo emptied ;;
  esac
done

fsfreeze -u "$point" 2>/dev/null
speed_up
tries=100
until umount "$point" 2>/dev/null; do
  tries=$((tries - 1))
  if [ $tries -eq 0 ]; then
    umount -l "$point"
    break
  fi
  sleep 0.1
done
# Takes effect when the device is no longer used, at the latest.
losetup -d "$device"
rmdir "$point"
rm -f "$image"
