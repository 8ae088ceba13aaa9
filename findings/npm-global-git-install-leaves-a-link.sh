#!/usr/bin/env bash
# npm 10.9.9 and 11.6.2: `npm install --global git+ADDRESS` of a package with a `prepare` script.
#
# Expected: what `npm pack` of that commit would hold lies in the global folder, built by `prepare`, which finds the development
# dependencies, as after `npm install` of the same address in a project.
# Seen: npm ends with 0, and the global folder holds a link to npm's own clone in its cache, which npm then empties: the program can't be
# started. With `--install-links` the package is copied. In both, `prepare` runs without the development dependencies: the npm that is to
# install them in the clone inherits `global=true`, and installs the clone itself into the global folder.
#
# A package that is to be installed so needs a `prepare` that fetches what it needs itself, and users need `--install-links`.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export HOME="$folder/home" npm_config_cache="$folder/cache" npm_config_audit=false npm_config_fund=false npm_config_update_notifier=false
mkdir home tool
cat >tool/package.json <<'JSON'
{
  "name": "a-tool", "version": "1.0.0", "bin": { "a-tool": "bin.js" }, "files": ["bin.js", "made.txt"],
  "scripts": { "prepare": "node prepare.js" }, "devDependencies": { "picocolors": "1.1.1" }
}
JSON
printf '#!/usr/bin/env node\nconsole.log("works");\n' >tool/bin.js
cat >tool/prepare.js <<'JS'
let found = 'found';
try { require.resolve('picocolors'); } catch { found = 'missing'; }
require('node:fs').writeFileSync('made.txt', found + '\n');
JS
git -C tool init -q
git -C tool add -A
git -C tool -c user.name=a -c user.email=a@example.invalid commit -qm a

for version in 10.9.9 11.6.2; do
  npm install --silent --prefix "npm-$version" "npm@$version"
  npm="$folder/npm-$version/node_modules/.bin/npm"

  "$npm" install --silent --global --prefix "$folder/linked-$version" "git+file://$folder/tool"
  place="linked-$version/lib/node_modules/a-tool"
  [ -L "$place" ]
  if [ -e "$place/bin.js" ]; then
    echo "npm $version: the link leads to the package"
    exit 1
  fi

  "$npm" install --silent --global --install-links --prefix "$folder/copied-$version" "git+file://$folder/tool"
  place="copied-$version/lib/node_modules/a-tool"
  [ ! -L "$place" ]
  [ "$("copied-$version/bin/a-tool")" = works ]
  [ "$(cat "$place/made.txt")" = missing ]

  mkdir "project-$version"
  echo '{}' >"project-$version/package.json"
  (cd "project-$version" && "$npm" install --silent "git+file://$folder/tool")
  [ "$(cat "project-$version/node_modules/a-tool/made.txt")" = found ]
  echo "npm $version: a dangling link; with --install-links a copy whose prepare found no development dependency"
done
