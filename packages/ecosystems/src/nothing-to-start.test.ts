import { expect, it } from 'vitest';
import { hadNothingToStart } from './index.ts';

/** As printed by the tool, in an empty folder or in a project that has no such script. */
it.each([
  'npm error code ENOENT\nnpm error enoent Could not read package.json: Error: ENOENT: no such file or directory\n',
  'npm error Missing script: "test"\nnpm error\n',
  ' ERR_PNPM_NO_IMPORTER_MANIFEST_FOUND  No package.json (or package.yaml, or package.json5) was found in "/project".\n',
  ' ERR_PNPM_NO_SCRIPT  Missing script: lint\n\nCommand "lint" not found.\n',
  'yarn run v1.22.22\nerror Command "lint" not found.\n',
  'yarn run v1.22.22\nerror Couldn\'t find a package.json file in "/project"\n',
  'Usage Error: No project found in /project\n',
  'error: Script not found "lint"\n',
  'Task not found: lint\nAvailable tasks:\n',
  "error: deno task couldn't find deno.json(c) or package.json. See https://docs.deno.com/go/config\n",
  "make: *** No rule to make target 'test'.  Stop.\n",
  'make: *** No targets specified and no makefile found.  Stop.\n',
  'CMake Error: The source directory "/project" does not appear to contain CMakeLists.txt.\n',
  'error: could not find `Cargo.toml` in `/project` or any parent directory\n',
  'pattern ./...: directory prefix . does not contain main module or its selected dependencies\n',
  'rake aborted!\nNo Rakefile found (looking for: rakefile, Rakefile, rakefile.rb, Rakefile.rb)\n',
  "rake aborted!\nDon't know how to build task 'test' (See the list of available tasks with `rake --tasks`)\n",
  '[ERROR] The goal you specified requires a project to execute but there is no POM in this directory (/project).\n',
  "\nESLint: 9.39.5\n\nESLint couldn't find an eslint.config.(js|mjs|cjs) file.\n",
  "error TS5057: Cannot find a tsconfig.json file at the specified directory: '.'.\n",
  'Version 5.9.3\ntsc: The TypeScript Compiler - Version 5.9.3\n',
  'NoFilesFoundError: No files matching the pattern "*.css" were found.\n',
  'Checking formatting...\n[error] No files matching the pattern were found: "src/**/*.ts".\n',
  'sh: 0: cannot open ./check.sh: No such file\n',
  'bash: check.sh: No such file or directory\n',
  "python3: can't open file '/project/test.py': [Errno 2] No such file or directory\n",
  'ERROR: file or directory not found: tests/\n',
  'ruby: No such file or directory -- test.rb (LoadError)\n',
  'Can\'t open perl script "t.pl": No such file or directory\n',
  "Could not find '/project/test'\n",
  "Error: Cannot find module '/project/test.js'\n    at Module._load (node:internal/modules/cjs/loader:1038:27)\n    at node:internal/main/run_main_module:28:49 {\n  code: 'MODULE_NOT_FOUND',\n  requireStack: []\n}\n",
])('a command that finds nothing to start: %s', (output) => {
  expect(hadNothingToStart(output)).toBe(true);
});

it.each([
  'Missing script: we wrote that\ncoverage 40 is below 100\n',
  "Error: Cannot find module './gone.js'\nRequire stack:\n- /project/test.js\n    at Module._load (node:internal/modules/cjs/loader:1038:27)\n    at node:internal/main/run_main_module:28:49 {\n  code: 'MODULE_NOT_FOUND',\n  requireStack: [ '/project/test.js' ]\n}\n",
  'cat: expected.txt: No such file or directory\n',
])('a command that fails had something to start: %s', (output) => {
  expect(hadNothingToStart(output)).toBe(false);
});
