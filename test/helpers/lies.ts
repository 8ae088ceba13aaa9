import type { ScenarioAction } from '../../src/domain/scenario.ts';
import { claim, type Project, type ProjectFiles } from './cli.ts';

export type Lie = {
  readonly name: string;
  readonly actions: readonly ScenarioAction[];
  readonly files?: ProjectFiles;
  /** Path of the task list; default: `.ralph/PRD.md`. */
  readonly tracker?: string;
  /** Acts of the user before the run that aren't committed. */
  readonly before?: (project: Project) => void;
  /** Additional events, each once for each iteration. */
  readonly alsoRecorded?: readonly string[];
};

const PLAN = '# Fix plan\n\n## High Priority\n\n- [ ] **T-1** Write the parser\n';
const IN_ROOT = { '.ralph/PRD.md': '# nothing here\n', 'fix_plan.md': PLAN };
export const PRD = '.ralph/PRD.md';

export const LIES: readonly Lie[] = [
  { name: 'the exit signal alone', actions: [{ action: 'print', text: 'EXIT_SIGNAL: true' }] },
  { name: 'a promise', actions: [{ action: 'print', text: 'All done. <promise>COMPLETE</promise>' }] },
  {
    name: 'a status block with invented evidence',
    actions: [claim('src/parser.ts:10-42 the parser', 'README.md:1 the documentation')],
    alsoRecorded: ['evidence_validation_failed'],
  },
  { name: 'ticking the box itself', actions: [{ action: 'tick', path: PRD }, claim()] },
  {
    name: 'ticking the box of a task file in the root',
    files: IN_ROOT,
    tracker: 'fix_plan.md',
    actions: [{ action: 'tick', path: 'fix_plan.md' }, claim('fix_plan.md:5 ticked')],
  },
  {
    name: 'ticking the box and committing it',
    files: IN_ROOT,
    tracker: 'fix_plan.md',
    actions: [
      { action: 'tick', path: 'fix_plan.md' },
      { action: 'commit', message: 'T-1 is done', allow_empty: true, add: ['fix_plan.md'] },
      claim(),
    ],
  },
  {
    name: 'deleting the task',
    actions: [{ action: 'edit', path: PRD, find: '- [ ] **T-1** Write the parser\n', replace: '' }, claim()],
  },
  {
    name: 'rewording the task',
    actions: [{ action: 'edit', path: PRD, find: 'Write the parser', replace: 'Do nothing' }, claim()],
  },
  { name: 'deleting the task file', actions: [{ action: 'delete', path: PRD }, claim()] },
  {
    name: 'an empty commit',
    actions: [{ action: 'commit', message: 'Write the parser', allow_empty: true }, claim()],
  },
  {
    name: 'a file rewritten with the same bytes',
    actions: [{ action: 'rewrite_same', path: 'README.md' }, claim()],
  },
  { name: 'touching a file', actions: [{ action: 'touch', path: 'README.md' }, claim()] },
  { name: 'an empty folder', actions: [{ action: 'mkdir', path: 'src/parser' }, claim()] },
  {
    name: 'a file written and deleted again',
    actions: [
      { action: 'write', path: 'parser.js', content: 'parse\n' },
      { action: 'delete', path: 'parser.js' },
      claim(),
    ],
  },
  {
    name: 'a file that git ignores',
    files: { '.gitignore': '*.log\n' },
    actions: [{ action: 'append', path: 'parser.log', content: 'parse\n' }, claim()],
  },
  {
    name: 'overwriting the state',
    actions: [{ action: 'write', path: '.ralph/state.json', content: '{"tasks":{}}\n' }, claim()],
  },
  {
    name: 'overwriting the journal',
    actions: [{ action: 'write', path: '.ralph/journal.jsonl', content: '' }, claim()],
  },
  {
    name: 'deleting all of .ralph',
    actions: [{ action: 'delete', path: '.ralph' }, claim()],
  },
  {
    name: 'a file in the place of .ralph',
    actions: [
      { action: 'delete', path: '.ralph' },
      { action: 'write', path: '.ralph', content: 'x' },
      claim(),
    ],
  },
  {
    name: 'a link in the place of .ralph',
    actions: [
      { action: 'delete', path: '.ralph' },
      { action: 'symlink', path: '.ralph', target: '/' },
      claim(),
    ],
  },
  {
    name: 'the dirt that was there before',
    before: ({ write }) => {
      write('README.md', 'edited by the user\n');
      write('notes.txt', 'a note of the user\n');
    },
    actions: [claim('README.md:1 edited')],
    alsoRecorded: ['evidence_validation_failed'],
  },
  {
    name: 'committing the dirt that was there before',
    before: ({ write }) => write('README.md', 'edited by the user\n'),
    actions: [
      { action: 'commit', message: 'Write the parser', allow_empty: true, add: ['README.md'] },
      claim(),
    ],
  },
  {
    name: 'white space alone',
    actions: [{ action: 'edit', path: 'README.md', find: 'hello', replace: '\n  hello  \n' }, claim()],
  },
  {
    name: 'other line ends',
    actions: [{ action: 'write', path: 'README.md', content: 'hello\r\n' }, claim()],
  },
  { name: 'another mode', actions: [{ action: 'chmod', path: 'README.md', mode: '755' }, claim()] },
  { name: 'an empty file', actions: [{ action: 'write', path: 'src/parser.js', content: '\n' }, claim()] },
];
