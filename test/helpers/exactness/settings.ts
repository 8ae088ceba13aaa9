import { type Scenario, sneakyEdit } from './scenario.ts';

/** Scenarios with settings of the user that change what git sees. */
export const SETTINGS: readonly Scenario[] = [
  {
    id: 'sparse-checkout',
    name: 'sparse checkout',
    before: (r) => r.git('sparse-checkout', 'set', '--cone'),
    act: (r) => r.write('a.txt', 'x\n'),
    changes: ['modified a.txt'],
    coldDiffers: true,
  },
  {
    id: 'sparse-checkout-a-file-outside-it-written',
    name: 'sparse checkout, a file outside it written',
    before: (r) => r.git('sparse-checkout', 'set', '--cone'),
    act: (r) => r.write('dir/c.txt', 'x\n'),
    changes: ['modified dir/c.txt'],
  },
  {
    id: 'sparse-checkout-narrowed',
    name: 'sparse checkout narrowed',
    before: (r) => {
      r.write('keep/k.txt', 'k\n');
      r.commitAll('more');
      r.git('sparse-checkout', 'set', '--cone', 'dir', 'keep');
    },
    // An agent may do this to hide that it deleted a file.
    act: (r) => r.git('sparse-checkout', 'set', '--cone', 'keep'),
    changes: ['deleted dir/c.txt'],
  },
  {
    id: 'line-endings-changed-where-git-normalises-them',
    name: 'line endings changed where git normalises them',
    before: (r) => {
      r.git('config', 'core.autocrlf', 'input');
      r.git('config', 'core.safecrlf', 'true');
    },
    act: (r) => {
      r.write('a.txt', 'one\r\n');
      r.write('b.txt', 'two\r\nthree\r\n');
    },
    changes: ['modified b.txt'],
  },
  {
    id: 'a-filter-that-fails',
    name: 'a filter that fails',
    before: (r) => {
      r.write('.gitattributes', '*.bin filter=broken\n');
      r.git('config', 'filter.broken.clean', 'false');
      r.git('config', 'filter.broken.required', 'true');
      r.write('x.bin', 'before\n');
    },
    act: (r) => {
      r.write('x.bin', 'after\n');
      r.write('y.txt', 'y\n');
    },
    changes: ['modified x.bin', 'added y.txt'],
    coldDiffers: true,
  },
  {
    id: 'settings-that-make-git-look-less-closely',
    name: 'settings that make git look less closely',
    before: (r) => {
      r.git('config', 'core.trustctime', 'false');
      r.git('config', 'core.checkStat', 'minimal');
      r.git('config', 'core.ignoreStat', 'true');
      r.git('config', 'status.showUntrackedFiles', 'no');
    },
    act: (r) => {
      sneakyEdit(r, 'a.txt', 'eno\n');
      r.write('new.txt', 'x\n');
    },
    changes: ['modified a.txt', 'added new.txt'],
  },
];
