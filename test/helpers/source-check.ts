import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { temporaryFolder } from './repository.ts';
import { SOURCES, sourceFiles } from './source-files.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** The package's programs: a file that none of them imports, directly or indirectly, is dead. */
const PROGRAMS = ['src/cli/start.ts', 'src/app/demo/main.ts'];

/** New texts of files, by path from the top of the repository. */
export type Changes = ReadonlyMap<string, string>;

/** Returns the files that a diff changes, with their new texts. The repository itself isn't changed. */
export function changesOf(diff: string): Changes {
  const copy = temporaryFolder();
  const apply = (...args: string[]) => {
    const run = spawnSync('git', ['apply', ...args, diff], { cwd: copy, encoding: 'utf8' });
    if (run.status !== 0) throw new Error(`a diff does not apply: ${run.stderr}`);
    return run.stdout;
  };
  const names = apply('--numstat')
    .trim()
    .split('\n')
    .map((line) => line.split('\t')[2] ?? '');
  for (const name of names.filter((path) => existsSync(join(ROOT, path)))) {
    mkdirSync(dirname(join(copy, name)), { recursive: true });
    copyFileSync(join(ROOT, name), join(copy, name));
  }
  apply();
  return new Map(names.map((name) => [name, readFileSync(join(copy, name), 'utf8')]));
}

/**
 * Returns a function that checks `src` with some changes: types, and whether each file is used by a program. Unchanged
 * files are parsed once, and checked again only if a change affects them.
 */
export function sourceCheck(): (changes: Changes, findings: 'all' | 'first') => string[] {
  const options = compilerOptions();
  const parsed = new Map<string, ts.SourceFile | undefined>();
  const sources = sourceFiles().map((name) => join(ROOT, 'src', name));

  function programWith(changes: Changes, old?: ts.SemanticDiagnosticsBuilderProgram) {
    const texts = new Map([...changes].map(([name, text]) => [join(ROOT, name), text]));
    const folders = new Set([...texts.keys()].map(dirname));
    const host = ts.createCompilerHost(options, true);
    const { fileExists, readFile, directoryExists, getSourceFile } = host;
    host.fileExists = (path) => texts.has(path) || fileExists(path);
    host.readFile = (path) => texts.get(path) ?? readFile(path);
    host.directoryExists = (path) => folders.has(path) || (directoryExists?.(path) ?? true);
    host.getSourceFile = (path, language, ...rest) => {
      const text = texts.get(path);
      if (text === undefined && parsed.has(path)) return parsed.get(path);
      const file =
        text === undefined
          ? getSourceFile(path, language, ...rest)
          : ts.createSourceFile(path, text, language, true);
      // The builder of TypeScript notices by this version what changed.
      if (file) Object.assign(file, { version: ts.sys.createHash?.(file.text) });
      if (text === undefined) parsed.set(path, file);
      return file;
    };
    const roots = PROGRAMS.map((name) => join(ROOT, name));
    return ts.createSemanticDiagnosticsBuilderProgram(roots, options, host, old);
  }

  const base = programWith(new Map());
  const unused = (program: ts.SemanticDiagnosticsBuilderProgram, files: readonly string[]) => {
    const used = new Set(program.getSourceFiles().map(({ fileName }) => fileName));
    return files.filter((file) => !used.has(file));
  };
  const unusedBefore = new Set(unused(base, sources));
  base.getSemanticDiagnostics();
  return (changes, findings) => {
    const program = programWith(changes, base);
    const added = [...changes.keys()].map((name) => join(ROOT, name)).filter((name) => name.endsWith('.ts'));
    const dead = unused(program, [...new Set([...sources, ...added])])
      .filter(
        (file) => !unusedBefore.has(file) && SOURCES.some((folder) => file.startsWith(join(ROOT, folder))),
      )
      .map((file) => `${relative(ROOT, file)} is used by no program`);
    const problems = [
      ...dead,
      ...program.getOptionsDiagnostics().map(lineOf),
      ...program.getSyntacticDiagnostics().map(lineOf),
    ];
    while (findings === 'all' || problems.length === 0) {
      const affected = program.getSemanticDiagnosticsOfNextAffectedFile();
      if (affected === undefined) break;
      problems.push(...affected.result.map(lineOf));
    }
    // The builder doesn't follow a type through everything that is derived from it, so then all files are checked.
    if (findings === 'first' && problems.length === 0)
      problems.push(...program.getProgram().getSemanticDiagnostics().map(lineOf));
    return problems;
  };
}

function compilerOptions(): ts.CompilerOptions {
  const file = join(ROOT, 'tsconfig.json');
  const { config, error } = ts.readConfigFile(file, ts.sys.readFile);
  if (error) throw new Error(lineOf(error));
  return ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT, file).options;
}

function lineOf({ file, start, messageText }: ts.Diagnostic): string {
  const text = ts.flattenDiagnosticMessageText(messageText, ' ');
  if (file === undefined || start === undefined) return text;
  const { line } = file.getLineAndCharacterOfPosition(start);
  return `${relative(ROOT, file.fileName)}:${line + 1} ${text}`;
}
