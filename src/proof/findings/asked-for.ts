import type { Task } from '../../domain/task.ts';
import { isTestFile } from '../../lib/paths.ts';

/** Words of a task that wants code. */
const WANTS_CODE =
  /\b(?:add|implement|create|build|write|support|introduce|expose|export|return|accept|allow|handle|parse|extend|rewrite|refactor|rename|convert|replace|port|migrate|fix|correct|make|change)\b/i;
/** Tests as what is asked for; that they pass is asked of any code. */
const WANTS_TESTS =
  /\b(?:(?:unit|integration)?[ -]?test(?:s|ed|ing)?|specs?|cover(?:s|age|ed)?|cases|fixtures?|mocks?|e2e|flak\w*|assert\w*|snapshots?|reproduc\w*|verif\w*|expectations?|golden|suites?|pytest|jest|vitest|mocha|conftest|ci)\b/i;
const TESTS_PASS =
  /`[^`\n]*\btest\w*[^`\n]*`(?: (?:is|are|stays?|exits|ends) \w+)?|\b(?:all |the |existing |current )*tests? (?:still |must |should |have to )*(?:pass|succeed|run|(?:are|is|be|stay|stays) (?:green|passing))\w*|\b(?:npm|pnpm|yarn|bun|cargo|go|make|mvn|gradle) (?:run )?test\b/gi;

/** What may be fixed in tests alone. */
const MAY_BE_IN_TESTS =
  /\b(?:lint\w*|warnings?|typos?|type ?(?:check|script|error)\w*|types|format\w*|builds?|compil\w*|fail\w*|broken|red|green|imports?|deprecat\w*|dependenc\w*|upgrad\w*|everywhere|clean ?up|unused|docs?|comments?)\b/i;

/** Whether a task asks for code by its title, and neither title nor description speaks of tests, nor do its paths. */
export function isCodeAskedFor({ title, description, expectedPaths }: Task): boolean {
  const text = `${title}\n${description}`.replace(TESTS_PASS, '');
  if (!WANTS_CODE.test(title) || WANTS_TESTS.test(text) || MAY_BE_IN_TESTS.test(text)) return false;
  return expectedPaths === null || expectedPaths.length === 0 || !expectedPaths.every(isTestFile);
}
