# Sourced by findings: packages of Debian with all that they need, in a folder of their own, and a way to run what is in them.
# `debian PACKAGE=VERSION…` unpacks them below "$folder/system", which is gone at the end; `inside COMMAND…` runs a command there, in the folder
# /project, which is "$folder/project" outside.

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

debian() {
  mkdir -p "$folder/system/tmp" "$folder/project" "$folder/archives/partial"
  : >"$folder/status"
  # With an empty list of what is installed apt takes every package that is needed, but for those that each system has.
  apt-get install --yes --download-only --no-install-recommends -o Dir::State::status="$folder/status" \
    -o Dir::Cache::archives="$folder/archives" -o Debug::NoLocking=1 \
    bash coreutils dash findutils grep libc-bin sed "$@" >"$folder/apt.txt" 2>&1 ||
    { cat "$folder/apt.txt"; exit 1; }
  for archive in "$folder"/archives/*.deb; do dpkg -x "$archive" "$folder/system"; done
  rm -rf "$folder/archives"
}

inside() {
  bwrap --bind "$folder/system" / --dev /dev --proc /proc --tmpfs /tmp --bind "$folder/project" /project --chdir /project \
    --unshare-all --clearenv --setenv PATH /usr/bin:/bin --setenv HOME /tmp --setenv LANG C.UTF-8 "$@"
}
