import type { Task } from '../domain/task.ts';
import { isTestFile, nameOf } from '../lib/paths.ts';

/** Words of a task that wants something gone, or as it was. */
const WANTS_GONE =
  /\b(?:remov\w*|delet\w*|drop\w*|discard\w*|revert\w*|undo\w*|restor\w*|reset\w*|roll(?:s|ed|ing)? ?back|get rid|clean\w* up|eliminat\w*|mov(?:e|es|ed|ing)|renam\w*|replac\w*)\b/i;

/** Words of a task that wants code. */
const WANTS_CODE =
  /\b(?:add|implement|create|build|write|support|introduce|expose|export|return|accept|allow|handle|parse|extend|rewrite|refactor|rename|convert|replace|port|migrate|fix|correct|make|change)\b/i;
/** Tests as what is asked for; that they pass is asked of any code. */
const WANTS_TESTS =
  /\b(?:(?:unit|integration)?[ -]?test(?:s|ed|ing)?|specs?|cover(?:s|age|ed)?|cases|fixtures?|mocks?|e2e|flak\w*|assert\w*|snapshots?|reproduc\w*|verif\w*|expectations?|golden|suites?|pytest|jest|vitest|mocha|conftest|ci)\b/i;
const TESTS_PASS =
  /`[^`\n]*\btest\w*[^`\n]*`(?: (?:is|are|stays?|exits|ends) \w+)?|\b(?:all |the |existing |current )*tests? (?:still |must |should |have to )*(?:pass|succeed|run|(?:are|is|be|stay|stays) (?:green|passing))\w*|\b(?:npm|pnpm|yarn|bun|cargo|go|make|mvn|gradle) (?:run )?test\b/gi;

/** What may be mended in tests alone. */
const MAY_BE_IN_TESTS =
  /\b(?:lint\w*|warnings?|typos?|type ?(?:check|script|error)\w*|types|format\w*|builds?|compil\w*|fail\w*|broken|red|green|imports?|deprecat\w*|dependenc\w*|upgrad\w*|everywhere|clean ?up|unused|docs?|comments?)\b/i;

/** Whether a task asks for code by its title, and neither title nor description speaks of tests, nor do its paths. */
export function isCodeAskedFor({ title, description, expectedPaths }: Task): boolean {
  const text = `${title}\n${description}`.replace(TESTS_PASS, '');
  if (!WANTS_CODE.test(title) || WANTS_TESTS.test(text) || MAY_BE_IN_TESTS.test(text)) return false;
  return expectedPaths === null || expectedPaths.length === 0 || !expectedPaths.every(isTestFile);
}

/** Whether a task names a path, or a folder that it lies in, and wants something gone. */
export function isLossAskedFor({ title, description, acceptance }: Task, path: string): boolean {
  const text = [title, description, ...acceptance].join('\n');
  if (!WANTS_GONE.test(text)) return false;
  const parts = path.split('/');
  const folders = parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join('/'));
  // The name of a folder may be a word of any sentence.
  return (
    [path, nameOf(path)].some((name) => isNamed(name, text, '')) ||
    folders.some((name) => isNamed(name, text, name.includes('/') ? '' : '/'))
  );
}

/** As a word of its own, with that behind it: `a.js` isn't named by `data.js`, nor `src` by `src/a.js`. */
function isNamed(name: string, text: string, behind: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const after = text.slice(at + name.length, at + name.length + 2);
    const ends = after.startsWith(behind) && !/^(?:[\w-]|[./]\w)/.test(after);
    if (ends && !/[\w.-]/.test(text[at - 1] ?? ' ')) return true;
  }
  return false;
}
