import { fenceAfter, type OpenFence } from 'ralph-kit/markdown';

const WRITES =
  /\b(?:add|append|check off|edit|log|mark|modify|move|note|record|set|tick|update|write)\b(?!-)/i;
const RALPHS_FILES =
  /(?<![\w/])\.ralph\/|\bPRD\b|\bprogress\.md\b|\btask (?:file|list|tracker)\b|\btracker\b/i;
const COMMITS =
  /\bgit (?:commit|push)\b|\b(?:commit|push) (?:all |the |your |any )*(?:changes?|work|code|files?)\b/i;
const FORBIDS = /\b(?:don['’]t|do not|never|not|without)\b|\bleave\b.*\balone\b/i;

/**
 * Returns numbers, from 1, of a template's lines that order edits of the task list or `.ralph/`, or commits. The search
 * is by words and may miss some; the prompt's rules override them. `taskList` is '' if the list isn't a file.
 */
export function templateConflicts(template: string, taskList: string): readonly number[] {
  const listName = taskList.split('/').at(-1) ?? '';
  let open: OpenFence = null;
  return template.split(/\r\n?|\n/).flatMap((line, index) => {
    const isText = open === null;
    open = fenceAfter(open, line);
    const names = RALPHS_FILES.test(line) || (listName !== '' && line.includes(listName));
    const asks = (WRITES.test(line) && names) || COMMITS.test(line);
    return isText && asks && !FORBIDS.test(line) ? [index + 1] : [];
  });
}
