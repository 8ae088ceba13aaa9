import type { ReviewPlace } from '../domain/review.ts';
import { programName, splitArguments } from './arguments.ts';
import { type Denial, deny } from './denial.ts';
import { unescaped } from './escapes.ts';
import { exactField, type Field, fieldText, UNKNOWN_MARK } from './field.ts';
import { judgeDeletion, judgeWrite } from './judge-path.ts';
import type { SimpleCommand } from './simple-command.ts';

/** Interpreters, the options whose value is program text, and others that take a value. */
const INTERPRETERS: readonly (readonly [RegExp, readonly string[], (readonly string[])?])[] = [
  [/^(?:python|pypy)[\d.]*$/, ['-c'], ['-W', '-X']],
  [
    /^(?:node|nodejs|bun|deno|tsx|ts-node)$/,
    ['-e', '-p', '-pe', '--eval', '--print'],
    ['-r', '--require', '--import', '--loader', '-C', '--conditions'],
  ],
  [/^perl[\d.]*$/, ['-e', '-E'], ['-I', '-M']],
  [/^ruby[\d.]*$/, ['-e'], ['-I', '-r', '-C']],
  [/^php[\d.]*$/, ['-r'], ['-d', '-c']],
  [/^(?:lua|luajit)[\d.]*$/, ['-e'], ['-l']],
  [/^rscript$/i, ['-e']],
  [/^emacs$/, ['--eval', '-eval', '--execute'], ['-l', '--load']],
  [/^osascript$/, ['-e'], ['-l']],
];
const AWK = /^[gmn]?awk$/;

const DELETES =
  /\b(?:rmtree|unlink(?:Sync|_sync)?|os\.(?:remove|removedirs)|rmdir(?:Sync)?|rmSync|(?:fs|fsp|promises|fsPromises)\.rm|rm(?:Sync)?\s*\(|removeSync|rimraf|remove_entry(?:_secure)?|rm_rf?|rm_f|remove_dir|remove_tree|remove_file|File\.delete|Dir\.(?:delete|rmdir)|Deno\.remove(?:Sync)?|shutil\.move|os\.(?:truncate|ftruncate)|truncateSync|send2trash|delTree|file\.remove|delete-(?:file|directory))\b/;
const WRITES =
  /\bf?open\s*\([^)]{0,300}["'](?:[rb]*[wax+]|\s*\+?>)|\bprintf?\b[^;}\n]{0,300}>|\b(?:writeFile(?:Sync)?|appendFile(?:Sync)?|write_text|write_bytes|copyFile(?:Sync)?|cpSync|copytree|copy2?|copyfile|symlink(?:Sync)?|mkdir(?:Sync|s|_p)?|makedirs|rename(?:Sync)?|replace|createWriteStream|File\.write|file_put_contents|outputFile|move|chmod(?:Sync)?|touch|write-(?:region|file))\b/;
/** Ways to run another program. */
const RUNS =
  /\b(?:system|popen\d?|Popen|subprocess|exec(?:Sync|File|FileSync)?|spawn(?:Sync)?|check_(?:call|output)|shell_exec|passthru|backticks|qx|\$`|Bun\.\$|shell-command|do shell script|getline)|`|\|\s*"/;
/** Paths that come from elsewhere than the text. */
const FROM_ELSEWHERE =
  /\b(?:argv|ARGV|environ|getenv|process\.env|ENV|expanduser|Path\.home|homedir|tmpdir|gettempdir|mkdtemp\w*|NamedTemporaryFile|stdin|STDIN|input\s*\(|chdir|parents?\b\s*[[.)])/;

/** Texts that others are compared with or split at. */
const COMPARED =
  /\b(?:r?split|[lr]?strip|starts_?with|ends_?with|lastIndexOf|indexOf|includes)\(\s*(["'])[^"'\n]*\1/gi;

/** Words that a command in another language's text begins with, where it deletes. */
const COMMAND_LIKE =
  /(?:^|[\s;&|(])(?:\S*\/)?(?:rm|rmdir|unlink|shred|truncate|find|git|dd|mv|sh|bash|mkfs\S*|rsync)(?:\s|$)/;

export type CodeReview = {
  readonly place: ReviewPlace;
  readonly cwds: readonly (string | null)[];
  /** Judges a shell command that the text runs. */
  readonly shell: (text: string, cwds: readonly (string | null)[]) => Denial | null;
};

/** Texts of programs in a command: after `-c` or `-e`, or fed to an interpreter. */
export function inlineCode({ argv, input }: SimpleCommand): readonly Field[] {
  const name = programName(argv[0]);
  const args = argv.slice(1);
  if (AWK.test(name)) return splitArguments(args, ['-F', '-v', '-f']).operands.slice(0, 1);
  const interpreter = INTERPRETERS.find(([pattern]) => pattern.test(name));
  if (interpreter === undefined) return [];
  const [, options, valued = []] = interpreter;
  const { values, operands } = splitArguments(args, [...options, ...valued], true);
  const given = options.flatMap((option) => values.get(option) ?? []);
  const eval_ = operands[0]?.head === 'eval' ? operands.slice(1, 2) : [];
  const reads = given.length === 0 && (operands.length === 0 || operands[0]?.head === '-');
  const fed = reads && input.output.kind === 'text' ? [exactField(input.output.text)] : [];
  return [...given, ...eval_, ...fed];
}

/** What comes of the text of a program in another language, by the words and the paths in it. */
export function judgeCode(code: Field, review: CodeReview): Denial | null {
  const text = fieldText(code);
  const literals = stringLiterals(text);
  return (
    judgeRuns(text, literals, review) ??
    judgeDeletes(text, literals, review) ??
    judgeCodeWrites(text, literals, review)
  );
}

function judgeRuns(text: string, literals: readonly string[], review: CodeReview): Denial | null {
  if (!RUNS.test(text)) return null;
  for (const literal of [...literals, ...argumentLists(text)]) {
    if (!COMMAND_LIKE.test(literal)) continue;
    const denial = review.shell(literal, review.cwds);
    if (denial !== null) return denial;
  }
  return null;
}

function judgeDeletes(text: string, literals: readonly string[], review: CodeReview): Denial | null {
  if (!DELETES.test(text)) return null;
  for (const literal of stringLiterals(text.replace(COMPARED, ''))) {
    if (literal === '') continue;
    const target = literal.startsWith('~') ? exactField(`/${literal}`) : exactField(literal);
    const denial = judgeDeletion(target, review.cwds, review.place);
    if (denial !== null) return denial;
  }
  if (literals.length > 0 && !FROM_ELSEWHERE.test(text)) return null;
  return deny(
    'unknown_target',
    'The program deletes files whose paths are not written in it. Write them out as texts, inside the repository.',
  );
}

function judgeCodeWrites(text: string, literals: readonly string[], review: CodeReview): Denial | null {
  if (!WRITES.test(text)) return null;
  for (const literal of literals) {
    // Perl's open has the way of writing in front of the name.
    const name = literal.replace(/^\s*\+?>{1,2}\s*/, '');
    const denial = judgeWrite(exactField(name), review.cwds, review.place);
    if (denial !== null) return denial;
  }
  return null;
}

/** Texts in quotes of any kind; what is filled in where they are used is not known. */
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

/** `['rm', '-rf', 'x']` or `'rm', ['-rf', 'x']` as one command line. */
function argumentLists(text: string): readonly string[] {
  const lists = text.matchAll(
    /(?:(["'])[\w./-]+\1\s*,\s*)?\[\s*(?:["'][^"'\n]*["']\s*(?:,\s*)?)+\]|\(\s*(?:["'][^"'\n]*["']\s*,\s*)+["'][^"'\n]*["']/g,
  );
  return [...lists]
    .map(([list]) =>
      stringLiterals(list)
        .map((word) => `'${word.replaceAll("'", '')}'`)
        .join(' '),
    )
    .map(bare);
}

/** The first word without quotes, so that it is seen as a command. */
function bare(line: string): string {
  return line.replace(/^'([\w./-]+)'/, '$1');
}
