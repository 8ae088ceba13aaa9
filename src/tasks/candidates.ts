/**
 * Where kind "auto" looks for the tracker, relative to the repository, in this order; the first file that holds
 * tasks is taken. Names that differ in case alone stand for systems that tell them apart.
 */
export const TRACKER_CANDIDATES: readonly string[] = [
  '.ralph/PRD.md',
  '.ralph/prd.md',
  '.ralph/prd.json',
  '.ralph/PRD.json',
  '.ralph/tasks.yaml',
  '.ralph/tasks.yml',
  '.ralph/fix_plan.md',
  '.ralph/@fix_plan.md',
  '.ralph/IMPLEMENTATION_PLAN.md',
  '.ralph/plan.md',
  '.ralph/tasks.md',
  'PRD.md',
  'prd.md',
  'prd.json',
  'PRD.json',
  'tasks.yaml',
  'tasks.yml',
  'fix_plan.md',
  '@fix_plan.md',
  'IMPLEMENTATION_PLAN.md',
  'PLAN.md',
  'plan.md',
  'TASKS.md',
  'tasks.md',
];

export type TrackerKind = 'auto' | 'markdown' | 'json' | 'yaml';
export type TextKind = Exclude<TrackerKind, 'auto'>;

/** Which of the three text forms a file has: by its name, and by its first character where the name says nothing. */
export function textKind(path: string, text: string): TextKind {
  if (/\.(md|markdown|mdx)$/i.test(path)) return 'markdown';
  if (/\.json$/i.test(path)) return 'json';
  if (/\.ya?ml$/i.test(path)) return 'yaml';
  return /^\uFEFF?\s*[{[]/.test(text) && !/^\uFEFF?\s*\[.?\]/.test(text) ? 'json' : 'markdown';
}
