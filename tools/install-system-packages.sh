#!/usr/bin/env bash
# Installs the Debian packages that the native build needs; says what is missing where it can't.
set -eu

packages=(libmlir-22-dev mlir-22-tools llvm-22-dev llvm-22-tools liblld-22-dev
          libzstd-dev zlib1g-dev cmake ninja-build ccache g++)

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
  [ "$status" = "install ok installed" ] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

root=()
[ "$(id -u)" -eq 0 ] || root=(sudo -n)
if command -v apt-get >/dev/null && { [ ${#root[@]} -eq 0 ] || "${root[@]}" true 2>/dev/null; }; then
  echo "installing: ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  "${root[@]}" apt-get update -q >/dev/null
  "${root[@]}" apt-get install -q -y --no-install-recommends "${missing[@]}" >/dev/null
  exit 0
fi
echo "These packages are missing and can't be installed from here:" >&2
printf '  %s\n' "${missing[@]}" >&2
echo "Install them as root, then run make again: apt-get install ${missing[*]}" >&2
exit 1
