import {
  exactField,
  FED_FILE,
  type Field,
  fieldText,
  patternField,
  programName,
  type Ran,
  type SimpleCommand,
  splitArguments,
  UNKNOWN_MARK,
  unescaped,
} from '../../shell/index.ts';
import { programNamed } from '../catalogue/index.ts';
import { type Effect, type EffectPlace, type Folders, pathEffect, unknownPath } from '../effect.ts';
import { reachedByCode } from './reach.ts';

const AWK = /^[gmn]?awk$/;

const DELETES =
  /\b(?:rmtree|unlink(?:Sync|_sync)?|os\.(?:remove|removedirs)|rmdir(?:Sync)?|rmSync|(?:fs|fsp|promises|fsPromises)\.rm|rm(?:Sync)?\s*\(|removeSync|rimraf|remove_entry(?:_secure)?|rm_rf?|rm_f|remove_dir|remove_tree|remove_file|File\.delete|Dir\.(?:delete|rmdir)|Deno\.remove(?:Sync)?|shutil\.move|os\.(?:truncate|ftruncate)|truncateSync|send2trash|delTree|file\.remove|delete-(?:file|directory)|delete_recursive|removeDirectory|deleteRecursively|deleteDir|FileUtils\.delete\w*|File\.(?:rm\w*|del)|Files\.delete\w*|Remove-Item|removeItem|remove!|truncate|emptyDir(?:Sync)?|delete-tree|os\.Remove(?:All)?|remove_dir_all|Sys\.remove|from os import[^;\n]{0,80}\b(?:remove|removedirs|rmdir|unlink))\b|\brm(?:Sync)?\s*\(/;
const WRITES =
  /\bopen\b[^;\n]{0,200}["']\s*\+?>|\bf?open\s*\([^)]{0,300}["'](?:[rb]*[wax+]|\s*\+?>)|\bprintf?\b[^;}\n]{0,300}>|\b(?:writeFile(?:Sync)?|appendFile(?:Sync)?|write_text|write_bytes|copyFile(?:Sync)?|cpSync|copytree|copy2?|copyfile|symlink(?:Sync)?|mkdir(?:Sync|s|_p)?|makedirs|rename(?:Sync)?|os\.replace|Path\([^)\n]{0,200}\)\.replace|createWriteStream|File\.write|file_put_contents|outputFile|move|chmod(?:Sync)?|touch|write-(?:region|file))\b/;
const RUNS =
  /\b(?:system|popen\d?|Popen|subprocess|exec(?:Sync|File|FileSync)?|spawn(?:Sync)?|check_(?:call|output)|shell_exec|passthru|proc_open|pcntl_exec|backticks|qx|\$`|Bun\.\$|shell-command|do shell script|getline|getattr|__import__|import_module|posix_spawn|startProcess|ProcessBuilder|getRuntime|Process\.run|Open3|capture2e?|capture3|PTY|Deno\.Command|os:cmd|open_port|\w*[cC]allCommand|\w*readProcess|createProcess|uiop:run-program|run-program|run-shell-command|sb-ext:run-program|IO\.popen|Sys\.command|execute_shell|Sys\.popen|std::process|Command::new|exec\.Command)|\b(?:run|shell|sh|cmd|eval|Function|constructor)\s*[(`]|\.execute\(\)|%x[[({!|]|`|\|&?\s*"|["']\s*\|\s*\w|"-\||\bclojure\.java\.shell|\b(?:sh|shell)\s+["']/;
const FROM_ELSEWHERE =
  /\b(?:argv|ARGV|environ|getenv|process\.env|ENV|expanduser|Path\.home|homedir|stdin|STDIN|input\s*\(|chdir|parents?\b\s*[[.)])/;

/** Group 1 or 2 is the text that the call gets. */
const DELETE_CALLS =
  /\b(?:rmtree|unlink(?:Sync)?|os\.(?:remove|removedirs|rmdir)|rmdir(?:Sync)?|rmSync|(?:fs|fsp|promises)\.rm|removeSync|rimraf(?:\.sync)?|rm_rf?|remove_entry(?:_secure)?|remove_dir(?:_all)?|remove_file|os\.Remove(?:All)?|removeItem|file\.remove|File\.(?:rm\w*|delete|unlink)|Files\.delete\w*|emptyDir(?:Sync)?|delete-tree|Sys\.remove|deleteDir|Deno\.remove(?:Sync)?|send2trash|Path|File(?=\(\s*["'][^"'\n]*["']\s*\)\s*\.\s*delete)|file delete -force|file delete|(?<![.\w])rm)\b[!?]?\s*\(?\s*(?:(?:atPath|path|Paths\.get|Path\.of)\s*[:(]\s*)?(?:"((?:\\.|[^"\\\n]){1,400})"|'((?:\\.|[^'\\\n]){1,400})')(?=\s*\)?\s*(?:\.unwrap\(\)|[,;)\n}]|\.(?:unlink|rmdir|delete\w*|rmtree)|$))/g;

/** Group 1 or 2 is the path that the call gets as its first argument. */
const WRITE_CALLS =
  /\b(?:writeFile(?:Sync)?|appendFile(?:Sync)?|createWriteStream|file_put_contents|outputFile(?:Sync)?|File\.write|IO\.write|WriteFile|mkdir(?:Sync|s|_p)?|makedirs|open(?=\([^)\n]{0,300}["'](?:[rb]*[wax+]))|Path(?=\([^)\n]{0,300}\)\.(?:write_text|write_bytes|touch|mkdir)))\s*\(\s*(?:"((?:\\.|[^"\\\n]){1,400})"|'((?:\\.|[^'\\\n]){1,400})')/g;

const TEMPORARY = /\b(?:tmpdir|gettempdir|mkdtemp\w*|mkstemp|NamedTemporaryFile|TemporaryDirectory)\b/;

/** Text literals that are only compared with, or split at, aren't paths. */
const COMPARED =
  /\b(?:r?split|[lr]?strip|starts_?with|ends_?with|lastIndexOf|indexOf|includes)\(\s*(["'])[^"'\n]*\1/gi;

const COMMAND_LIKE =
  /(?:^|[\s;&|(])(?:\S*\/)?(?:rm|rmdir|unlink|shred|truncate|find|git|dd|mv|sh|bash|mkfs\S*|rsync)(?:\s|$)/;

/** Characters of inline code that cost one step of the review's budget. */
export const CODE_TEXT = 8;
/** Steps of the review's budget for reading one more text as a shell script. */
export const SHELL_TEXT = 12;

export type CodeContext = {
  readonly place: EffectPlace;
  readonly cwds: Folders;
  readonly shell: (text: string) => readonly Effect[];
  /** `true`: the code stands in the command. `false`: in a file, of which fewer literals are read as paths. */
  readonly inline: boolean;
};

/** Returns the programs in a command's arguments (`-c`, `-e`) or in what is fed to an interpreter. */
export function inlineCode({ argv, input, substituted }: Ran): readonly Field[] {
  const name = programName(argv[0]);
  const args = argv.slice(1);
  if (AWK.test(name)) return awkTexts(args, input.output);
  const program = programNamed(name);
  if (program?.code === undefined) return [];
  const { values, operands } = splitArguments(args, program.options, true);
  const given = program.code.flatMap((option) => values.get(option) ?? []);
  const eval_ = operands[0]?.head === 'eval' ? operands.slice(1, 2) : [];
  const named = operands[0]?.head === 'run' ? splitArguments(operands.slice(1)).operands : operands;
  const reads = given.length === 0 && (named[0] === undefined || FED_FILE.test(fieldText(named[0])));
  const fed = reads && input.output.kind === 'text' ? [input.output.text] : [];
  const file = operands[0]?.head === '/dev/fd/63' && substituted.kind === 'text' ? [substituted.text] : [];
  return [...given, ...eval_, ...[...fed, ...file].map(exactField)];
}

/** Returns an awk program and the values of its variables, which it may run or write to. */
function awkTexts(args: readonly Field[], output: SimpleCommand['input']['output']): readonly Field[] {
  const { values, operands } = splitArguments(args, ['-F', '-v', '-f', '--assign', '--file']);
  const files = [...(values.get('-f') ?? []), ...(values.get('--file') ?? [])];
  const fed =
    files.some((file) => FED_FILE.test(fieldText(file))) && output.kind === 'text' ? [output.text] : [];
  const assigned = [...(values.get('-v') ?? []), ...(values.get('--assign') ?? [])].map(
    (value) => ` "${fieldText(value).replace(/^\w+=/, '').replaceAll('"', '')}"`,
  );
  const programs = files.length > 0 ? fed : operands.slice(0, 1).map(fieldText);
  return programs.map((program) => exactField(program + assigned.join('')));
}

export function codeEffects(code: string, context: CodeContext): readonly Effect[] {
  const text = withHome(code, context.place.home);
  const literals = stringLiterals(text);
  return [
    ...ranByCode(code, { text, literals }, context),
    ...deletedByCode(text, literals, context),
    ...writtenByCode(text, literals, context),
    ...reachedByCode(code, literals, context.place),
  ];
}

function ranByCode(
  code: string,
  { text, literals }: { readonly text: string; readonly literals: readonly string[] },
  { shell }: CodeContext,
): readonly Effect[] {
  if (!RUNS.test(text)) return [];
  const filled = FORMATS.test(text)
    ? (each: string) => each.replace(/%[sdr]|\{\w*\}/g, UNKNOWN_MARK)
    : String;
  // Perl's `open` has the pipe in front of the command: `"| sh"`.
  const whole = literals.map((each) => continued(filled(each.replace(/^\s*\|/, ''))));
  const likely = [...whole, ...argumentLists(text)].filter((each) => COMMAND_LIKE.test(each));
  const given = givenToRun(code).filter((each) => !likely.includes(each));
  return [
    ...likely.flatMap(shell),
    // The text may be for something other than a shell, such as a database, so what can't be followed is dropped.
    ...given.flatMap(shell).filter(({ kind }) => kind !== 'unfollowed'),
  ];
}

/** A text that ends in a blank is continued by something unknown: `"rm -rf " + path`. */
function continued(text: string): string {
  return /\S\s$/.test(text) && COMMAND_LIKE.test(text) ? text + UNKNOWN_MARK : text;
}

/** Text literals with placeholders are filled in by these calls. */
const FORMATS = /\bsprintf\b|\bformat\s*\(|["']\s*%\s*[\w(]/;

const RUN_CALLS =
  /(?:\b(?:system|popen|execSync|shell_exec|passthru|proc_open|getoutput|getstatusoutput|check_output|check_call|Popen|spawnSync|execFileSync|os\.execute)|\b(?:Open3|PTY|IO)\.\w+|\bpty\.spawn|\bsubprocess\.\w+|\bchild_process\b["')\s]{0,4}\.\w+|(?<![.\w])(?:exec|spawn))\s{0,9}[(\s]\s{0,9}(?=["'`[])/g;
/** Matches `%x(…)` of Ruby and `qx{…}` of Perl. */
const RUN_QUOTES = /(?:%x|\bqx)\s{0,9}[({[!|/]([^)}\]!|/]{0,400}(?:\/[^)}\]!|]{0,400})?)[)}\]!|/]/g;
const LONGEST_CALL = 4000;
const FIRST_TEXT = /^(?:"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'|`(?:\\[\s\S]|[^`\\])*`)/;

/** Returns the text literals that code gives to calls that run commands. */
function givenToRun(text: string): readonly string[] {
  const quoted = [...text.matchAll(RUN_QUOTES)].map(([, command = '']) => command);
  const called = [...text.matchAll(RUN_CALLS)].slice(0, MOST_CALLS).flatMap(({ 0: call, index }) => {
    const rest = text.slice(index + call.length, index + call.length + LONGEST_CALL);
    const [first] = FIRST_TEXT.exec(rest) ?? [];
    const [list] = argumentLists(`(${rest}`);
    return [
      ...(first === undefined ? [] : [unescaped(first.slice(1, -1))]),
      ...(list === undefined ? [] : [list]),
    ];
  });
  return [...quoted.slice(0, MOST_CALLS), ...called];
}

const MOST_CALLS = 20;

function deletedByCode(
  text: string,
  literals: readonly string[],
  { cwds, place, inline }: CodeContext,
): readonly Effect[] {
  if (!DELETES.test(text)) return [];
  const deletes = (literal: string) =>
    pathEffect(
      'deletes',
      'code',
      patternField(literal.startsWith('~') ? `/${literal}` : literal),
      cwds,
      place,
      { recursive: true },
    );
  if (!inline) {
    return literalsOf(text, DELETE_CALLS).map((literal) => deletes(unescaped(literal)));
  }
  const uncompared = text.replace(COMPARED, '');
  const named = (uncompared === text ? literals : stringLiterals(uncompared)).filter(
    (literal) => literal !== '',
  );
  const effects = named.map(deletes);
  if (FROM_ELSEWHERE.test(text)) return [...effects, unknownPath('deletes', 'code')];
  if (TEMPORARY.test(text)) {
    const somewhere = exactField(`${place.tmpdir.path}/${UNKNOWN_MARK}`);
    return [...effects, pathEffect('deletes', 'code', somewhere, cwds, place)];
  }
  return literals.length > 0 ? effects : [...effects, unknownPath('deletes', 'code')];
}

function writtenByCode(
  text: string,
  literals: readonly string[],
  { cwds, place, inline }: CodeContext,
): readonly Effect[] {
  if (!WRITES.test(text)) return [];
  const given = inline ? literals : literalsOf(text, WRITE_CALLS).map(unescaped);
  // Perl's `open` has the mode in front of the name: `">file"`.
  const names = given.map((literal) => literal.replace(/^\s*\+?>{1,2}\s*/, '')).filter((name) => name !== '');
  return names.map((name) => pathEffect('writes', 'code', exactField(name), cwds, place));
}

function literalsOf(text: string, calls: RegExp): readonly string[] {
  return [...text.matchAll(calls)].map((match) => match[1] ?? match[2] ?? '');
}

/** Returns `['rm', '-rf', 'x']` or `'rm', ['-rf', 'x']` as one command line. */
function argumentLists(text: string): readonly string[] {
  const lists = text.matchAll(
    /(?:(["'])[\w./-]+\1\s*,\s*(?:\{\s*\w+\s*:\s*)?)?\[\s*(?:["'][^"'\n]*["']\s*(?:,\s*)?)+\]|\(\s*(?:[\w.]{1,40}\s*,\s*)?(?:["'][^"'\n]*["']\s*,\s*)+["'][^"'\n]*["']/g,
  );
  return (
    [...lists]
      .map(([list]) =>
        stringLiterals(list)
          .map((word) => `'${word.replaceAll("'", '')}'`)
          .join(' '),
      )
      .map(bare)
      // `execvp` gets the program's name twice.
      .map((line) => line.replace(/^([\w./-]+) '\1'(?= |$)/, '$1'))
  );
}

function bare(line: string): string {
  return line.replace(/^'([\w./-]+)'/, '$1');
}

const HOME =
  /os\.homedir\(\)|\bhomedir\(\)|(?:pathlib\.)?Path\.home\(\)|process\.env\.HOME\b|(?:os\.environ|ENV)\[["']HOME["']\]|(?:os\.)?getenv\(["']HOME["']\)|os\.environ\.get\(["']HOME["']\)|\$ENV\{["']?HOME["']?\}|require\(["'](?:node:)?os["']\)\.homedir\(\)|Dir\.home/g;
const IN_HOME = /(?:os\.path\.expanduser|File\.expand_path)\(\s*(?:"~([^"\n]*)"|'~([^'\n]*)')\s*\)/g;

/** Returns the code with calls for the home folder replaced by its path, and adjacent text literals joined. */
function withHome(code: string, home: string | null): string {
  let text = code;
  if (home !== null)
    text = text
      .replace(HOME, `"${home}"`)
      .replace(IN_HOME, (_, double?: string, single?: string) => `"${home}${double ?? single ?? ''}"`);
  text = text.replace(
    /(?:os\.path\.(?:expanduser|abspath)|File\.expand_path|\bstr)\(\s*((?:"[^"\n]*"|'[^'\n]*'))\s*\)/g,
    '$1',
  );
  for (let round = 0; round < 3; round += 1) {
    const before = text;
    text = text
      .replace(/"([^"\n\\]{0,200})"\s{0,9}(?:\+|\.)\s{0,9}["']([^"'\n\\]{0,200})["']/g, '"$1$2"')
      .replace(/'([^'\n\\]{0,200})'\s{0,9}(?:\+|\.)\s{0,9}["']([^"'\n\\]{0,200})["']/g, "'$1$2'")
      .replace(/"([^"\n\\]{0,200})"\s{0,9}\/\s{0,9}["']([^"'\n\\]{0,200})["']/g, '"$1/$2"')
      .replace(
        /join\(\s{0,9}["']([^"'\n\\]{0,200})["']\s{0,9},\s{0,9}["']([^"'\n\\]{0,200})["']/g,
        'join("$1/$2"',
      );
    if (text === before) break;
  }
  return text;
}

/** Returns the text literals in quotes of any kind, with placeholders replaced by the mark for unknown text. */
function stringLiterals(text: string): readonly string[] {
  const found = text.matchAll(
    /([fF]?)(?:"((?:\\[\s\S]|[^"\\])*)"|'((?:\\[\s\S]|[^'\\])*)'|`((?:\\[\s\S]|[^`\\])*)`)/g,
  );
  return [...found].map(([, formatted, double, single, back]) => {
    const raw = unescaped(double ?? single ?? back ?? '');
    const filled =
      back !== undefined || double !== undefined ? raw.replace(/[$#]\{[^}]*\}/g, UNKNOWN_MARK) : raw;
    return formatted ? filled.replace(/\{[^}]*\}/g, UNKNOWN_MARK) : filled;
  });
}
