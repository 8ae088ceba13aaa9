import { chmodSync, renameSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { type Scenario, sneakyEdit } from './scenario.ts';

/** Scenarios with files, folders and symlinks: written, moved, swapped, left alone. */
export const CONTENT: readonly Scenario[] = [
  { id: 'nothing', name: 'nothing', act: () => undefined, changes: [] },
  {
    id: 'edit-of-a-clean-file',
    name: 'edit of a clean file',
    act: (r) => r.write('a.txt', 'ONE\n'),
    changes: ['modified a.txt'],
  },
  {
    id: 'dirt-that-was-there-before',
    name: 'dirt that was there before',
    before: (r) => r.write('a.txt', 'dirty\n'),
    act: () => undefined,
    changes: [],
  },
  {
    id: 'edit-of-a-dirty-file',
    name: 'edit of a dirty file',
    before: (r) => r.write('a.txt', 'dirty\n'),
    act: (r) => r.write('a.txt', 'dirtier\n'),
    changes: ['modified a.txt'],
  },
  {
    id: 'edit-of-an-untracked-file',
    name: 'edit of an untracked file',
    before: (r) => r.write('new.txt', 'x\n'),
    act: (r) => r.write('new.txt', 'y\n'),
    changes: ['modified new.txt'],
  },
  {
    id: 'edit-of-a-staged-file',
    name: 'edit of a staged file',
    before: (r) => {
      r.write('a.txt', 'staged\n');
      r.git('add', 'a.txt');
    },
    act: (r) => r.write('a.txt', 'again\n'),
    changes: ['modified a.txt'],
  },
  {
    id: 'a-dirty-file-put-back-to-head',
    name: 'a dirty file put back to HEAD',
    before: (r) => r.write('a.txt', 'dirty\n'),
    act: (r) => r.git('checkout', '--', 'a.txt'),
    changes: ['modified a.txt'],
  },
  {
    id: 'same-size-with-the-modification-time-put-back',
    name: 'same size with the modification time put back',
    act: (r) => sneakyEdit(r, 'a.txt', 'eno\n'),
    changes: ['modified a.txt'],
  },
  {
    id: 'same-size-and-time-dirty-file',
    name: 'same size and time, dirty file',
    before: (r) => r.write('a.txt', 'abc\n'),
    act: (r) => sneakyEdit(r, 'a.txt', 'cba\n'),
    changes: ['modified a.txt'],
  },
  {
    id: 'same-size-and-time-untracked-file',
    name: 'same size and time, untracked file',
    before: (r) => r.write('new.txt', 'abc\n'),
    act: (r) => sneakyEdit(r, 'new.txt', 'cba\n'),
    changes: ['modified new.txt'],
  },
  {
    id: 'chmod',
    name: 'chmod',
    act: (r) => chmodSync(r.path('a.txt'), 0o755),
    changes: ['mode_changed a.txt'],
  },
  {
    id: 'chmod-where-core-filemode-is-off',
    name: 'chmod where core.fileMode is off',
    before: (r) => r.git('config', 'core.fileMode', 'false'),
    act: (r) => chmodSync(r.path('a.txt'), 0o755),
    changes: [],
  },
  {
    id: 'new-symlink',
    name: 'new symlink',
    act: (r) => symlinkSync('a.txt', r.path('link')),
    changes: ['added link'],
  },
  {
    id: 'symlink-to-somewhere-else',
    name: 'symlink to somewhere else',
    before: (r) => symlinkSync('a.txt', r.path('link')),
    act: (r) => {
      r.remove('link');
      symlinkSync('b.txt', r.path('link'));
    },
    changes: ['modified link'],
  },
  {
    id: 'file-becomes-a-symlink',
    name: 'file becomes a symlink',
    act: (r) => {
      r.remove('a.txt');
      symlinkSync('b.txt', r.path('a.txt'));
    },
    changes: ['type_changed a.txt'],
  },
  {
    id: 'folder-becomes-a-symlink',
    name: 'folder becomes a symlink',
    act: (r) => {
      renameSync(r.path('dir'), r.path('other'));
      symlinkSync('other', r.path('dir'));
    },
    changes: ['added dir', 'renamed other/c.txt'],
  },
  {
    id: 'file-becomes-a-folder',
    name: 'file becomes a folder',
    act: (r) => {
      r.remove('a.txt');
      r.write('a.txt/inside', 'x\n');
    },
    changes: ['deleted a.txt', 'added a.txt/inside'],
  },
  {
    id: 'folder-becomes-a-file',
    name: 'folder becomes a file',
    act: (r) => {
      r.remove('dir');
      r.write('dir', 'x\n');
    },
    changes: ['added dir', 'deleted dir/c.txt'],
  },
  {
    id: 'rename',
    name: 'rename',
    act: (r) => renameSync(r.path('a.txt'), r.path('z.txt')),
    changes: ['renamed z.txt'],
  },
  { id: 'delete', name: 'delete', act: (r) => r.remove('dir'), changes: ['deleted dir/c.txt'] },
  {
    id: 'delete-of-an-untracked-file',
    name: 'delete of an untracked file',
    before: (r) => r.write('new.txt', 'x\n'),
    act: (r) => r.remove('new.txt'),
    changes: ['deleted new.txt'],
  },
  {
    id: 'the-same-bytes-written-again',
    name: 'the same bytes written again',
    act: (r) => r.write('a.txt', 'one\n'),
    changes: [],
  },
  { id: 'touch', name: 'touch', act: (r) => utimesSync(r.path('a.txt'), 1, 1), changes: [] },
  {
    id: 'odd-names',
    name: 'odd names',
    act: (r) => {
      for (const name of [
        'with space',
        'new\nline',
        '"quoted"',
        'ünï',
        ':colon',
        '-dash',
        'a\\b',
        '*glob*',
      ]) {
        r.write(name, 'x\n');
      }
      writeFileSync(Buffer.concat([Buffer.from(`${r.root}/`), Buffer.from([0x63, 0xe9])]), 'x\n');
    },
    changes: [
      'added "\\"quoted\\""',
      'added "c\\351"',
      'added *glob*',
      'added -dash',
      'added :colon',
      'added a\\b',
      'added new\nline',
      'added with space',
      'added ünï',
    ],
  },
  {
    id: 'what-the-orchestrator-writes',
    name: 'what the orchestrator writes',
    before: (r) => r.write('.ralph/PRD.md', 'x\n'),
    act: (r) => {
      r.write('.ralph/PRD.md', 'y\n');
      r.write('.ralph/journal.jsonl', '{}\n');
    },
    changes: [],
  },
  {
    id: 'tracked-files-of-the-orchestrator',
    name: 'tracked files of the orchestrator',
    files: { 'a.txt': 'one\n', '.ralph/PRD.md': 'x\n', '.gitignore': '!.ralph\n' },
    act: (r) => {
      r.write('.ralph/PRD.md', 'y\n');
      r.write('.ralph/new.md', 'y\n');
    },
    changes: [],
  },
  {
    id: 'case-of-a-name',
    name: 'the case of a name',
    act: (r) => renameSync(r.path('a.txt'), r.path('A.txt')),
    changes: ['renamed A.txt'],
  },
  {
    id: 'empty-file-and-empty-folder',
    name: 'empty file and empty folder',
    act: (r) => {
      r.write('empty.txt', '');
      r.write('hollow/x', '');
      r.remove('hollow/x');
    },
    changes: ['added empty.txt'],
  },
  {
    id: 'file-emptied',
    name: 'a file is emptied',
    act: (r) => r.write('a.txt', ''),
    changes: ['modified a.txt'],
  },
  {
    id: 'big-file',
    name: 'a file of 20 MB, one byte changed',
    before: (r) => r.write('big.bin', Buffer.alloc(20_000_000, 1)),
    act: (r) => {
      const bytes = Buffer.alloc(20_000_000, 1);
      bytes[10_000_000] = 2;
      r.write('big.bin', bytes);
    },
    changes: ['modified big.bin'],
    heavy: true,
  },
  {
    id: '20000-new-files',
    name: '20,000 new files',
    act: (r) => {
      for (let n = 0; n < 20_000; n += 1) r.write(`new/${Math.floor(n / 200)}/${n}.txt`, `${n}\n`);
    },
    changes: { added: 20_000 },
    heavy: true,
  },
];
