/**
 * Messages of tools that find no project, script or recipe (npm 11, pnpm 10, Yarn 1.22 and 4.18, Bun 1.4, Deno 2.9, GNU
 * Make 4.3, CMake 3.25, Go 1.19, Cargo 1.95, Rake 13, Maven 3.8).
 */
const NOTHING_TO_START = [
  /^npm (?:error|ERR!) (?:Missing script: |(?:enoent )?Could not read package\.json: )/m,
  /ERR_PNPM_NO_(?:SCRIPT|IMPORTER_MANIFEST_FOUND)/,
  /^error (?:Command "[^"\n]+" not found\.$|Couldn't find a package\.json file in )/m,
  /Usage Error[^\n]*: (?:No project found in|Couldn't find a script named)/,
  /^error: Script not found "/m,
  /^Task not found: |deno task couldn't find deno\.json/m,
  /^make: \*\*\* No (?:rule to make target|targets specified and no makefile found)/m,
  /^CMake Error: The source directory "[^"\n]*" does not appear to contain CMakeLists\.txt/m,
  /^error: could not find `Cargo\.toml` in /m,
  /directory prefix \S+ does not contain (?:main module|modules listed in go\.work)|^go: (?:cannot find main module|go\.mod file not found)/m,
  /^(?:No Rakefile found|Don't know how to build task ')/m,
  /there is no POM in this directory/,
  // No settings, or nothing to check: ESLint 9, TypeScript 5.9, Stylelint 17, Prettier 3.
  /^ESLint couldn't find (?:an eslint\.config|a configuration file)/m,
  /^error TS(?:5057|5058|18003): |^tsc: The TypeScript Compiler - Version /m,
  /^NoFilesFoundError: No files matching the pattern |^\[error\] No files matching the pattern were found: /m,
  // A file in the command is missing: dash 0.5, bash 5.2, Python 3.11, pytest 9, Ruby 3.1, Perl 5.36, Node 20.
  /^(?:sh|dash): \d+: cannot open \S+: No such file$|^(?:ba|z)?sh: (?:line \d+: )?\S+: No such file or directory$/m,
  /^\S*python[\d.]*: can't open file '|^ERROR: (?:file or directory not found|not found): /m,
  /^ruby: No such file or directory -- |^Can't open perl script "/m,
  /^Could not find '|^Error: Cannot find module '[^'\n]+'\n(?: {4}at .*\n)*? {4}at .*\{\n {2}code: 'MODULE_NOT_FOUND',\n {2}requireStack: \[\]/m,
];

/** Whether a failed command's output says that nothing could be started. */
export function hadNothingToStart(output: string): boolean {
  return NOTHING_TO_START.some((one) => one.test(output));
}
