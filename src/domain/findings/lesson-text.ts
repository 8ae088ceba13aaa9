import { inlineCode } from 'ralph-kit/markdown';
import { capitalized } from 'ralph-kit/text';
import type { Lesson } from '../policy.ts';
import { entryOf, isFindingType } from './index.ts';

/** A safe path. Other words of an agent never get into another prompt. */
const PATH = /^[\w@+-][\w./@+-]{0,119}$/;

/** Returns a lesson in ralph's own words. Only paths of changed files come from an agent. */
export function lessonText({ key, count, corrected }: Lesson): string {
  const fixed = (corrected?.paths ?? []).filter((path) => PATH.test(path)).map(inlineCode);
  const how = fixed.length === 0 ? '' : ` What fixed it in ${corrected?.taskId} changed ${fixed.join(', ')}.`;
  return `${whatCameBack(key)} ${count} attempts had it.${how}`;
}

function whatCameBack(key: string): string {
  const [first = '', second = ''] = key.split(':');
  const advice = entryOf(key).correction.alternative;
  if (isFindingType(key)) return `${capitalized(key.replaceAll('_', ' '))}: ${advice}`;
  // Names of gates and detectors are safe in a prompt, because you chose them.
  if (first === 'gate') return `Gate "${key.slice('gate:'.length)}" failed: run it before you end.`;
  if (!key.includes(':'))
    return `${capitalized(key.replaceAll('_', ' '))}, found by a detector of this project: ${advice}`;
  const where = PATH.test(second) ? ` in ${inlineCode(second)}` : '';
  return `Reviewers asked for changes${where}: look there for what a reviewer would find.`;
}
