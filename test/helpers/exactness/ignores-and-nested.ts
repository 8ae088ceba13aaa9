import { appendFileSync, utimesSync } from 'node:fs';
import { makeRepository, repositoryAt } from '../repository.ts';
import { nested, type Scenario, withSubmodule } from './scenario.ts';

/** Scenarios with ignore files, nested repositories and submodules. */
export const IGNORES_AND_NESTED: readonly Scenario[] = [
  {
    id: 'new-file-ignored-file',
    name: 'new file, ignored file',
    act: (r) => {
      r.write('new.txt', 'x\n');
      r.write('ignored/x', 'x\n');
      r.write('debug.log', 'x\n');
    },
    changes: ['added new.txt'],
  },
  {
    id: 'an-untracked-file-that-becomes-ignored-is-not-deleted',
    name: 'an untracked file that becomes ignored is not deleted',
    before: (r) => r.write('new.txt', 'x\n'),
    act: (r) => appendFileSync(r.path('.gitignore'), 'new.txt\n'),
    changes: ['modified .gitignore'],
    coldDiffers: true,
  },
  {
    id: 'new-file-hidden-through-info-exclude',
    name: 'new file hidden through info/exclude',
    act: (r) => {
      appendFileSync(r.path('.git/info/exclude'), 'hidden.txt\nhidden/\n');
      r.write('hidden.txt', 'x\n');
      r.write('hidden/deep.txt', 'y\n');
    },
    changes: ['added hidden.txt', 'added hidden/deep.txt'],
    coldDiffers: true,
  },
  {
    id: 'new-file-hidden-through-core-excludesfile',
    name: 'new file hidden through core.excludesFile',
    act: (r) => {
      r.write('.git/hide', 'hidden.txt\n');
      r.git('config', 'core.excludesFile', r.path('.git/hide'));
      r.write('hidden.txt', 'x\n');
    },
    changes: ['added hidden.txt'],
    // The hash from nothing uses an excludes file of its own.
  },
  {
    id: 'an-untracked-file-hidden-through-info-exclude-is-not-deleted',
    name: 'an untracked file hidden through info/exclude is not deleted',
    before: (r) => r.write('new.txt', 'x\n'),
    act: (r) => appendFileSync(r.path('.git/info/exclude'), 'new.txt\n'),
    changes: [],
    coldDiffers: true,
  },
  {
    id: 'what-a-person-excludes-stays-out',
    name: 'what the user excludes stays out',
    before: (r) => appendFileSync(r.path('.git/info/exclude'), 'scratch/\n'),
    act: (r) => {
      r.write('scratch/x', 'x\n');
      appendFileSync(r.path('.git/info/exclude'), '# touched\n');
    },
    changes: [],
  },
  {
    id: 'nested-repository-with-a-commit',
    name: 'nested repository with a commit',
    act: (r) => nested(r, 'app', { 'x.txt': 'x\n', 'src/y.txt': 'y\n' }, true),
    changes: ['added app/src/y.txt', 'added app/x.txt'],
    coldDiffers: true,
  },
  {
    id: 'nested-repository-without-a-commit',
    name: 'nested repository without a commit',
    act: (r) => nested(r, 'app', { 'x.txt': 'x\n' }, false),
    changes: ['added app/x.txt'],
    coldDiffers: true,
  },
  {
    id: 'empty-nested-repository',
    name: 'empty nested repository',
    act: (r) => nested(r, 'app', {}, false),
    changes: [],
    coldDiffers: true,
  },
  {
    id: 'edits-in-a-nested-repository',
    name: 'edits in a nested repository',
    before: (r) => nested(r, 'app', { 'x.txt': 'x\n', 'y.txt': 'y\n' }, true),
    act: (r) => {
      r.write('app/x.txt', 'changed\n');
      r.write('app/z.txt', 'z\n');
      r.remove('app/y.txt');
      repositoryAt(r.path('app')).commitAll('inside');
    },
    changes: ['modified app/x.txt', 'deleted app/y.txt', 'added app/z.txt'],
    coldDiffers: true,
  },
  {
    id: 'nested-repository-in-a-nested-repository',
    name: 'nested repository in a nested repository',
    act: (r) => {
      nested(r, 'app', {}, false);
      nested(r, 'app/lib', { 'x.txt': 'x\n' }, false);
    },
    changes: ['added app/lib/x.txt'],
    coldDiffers: true,
  },
  {
    id: 'the-agent-empties-git-of-a-nested-repository',
    name: 'the agent empties .git of a nested repository',
    before: (r) => nested(r, 'app', { 'x.txt': 'x\n' }, true),
    act: (r) => r.remove('app/.git'),
    changes: [],
  },
  {
    id: 'clean-submodule',
    name: 'clean submodule',
    before: withSubmodule,
    act: (r) => utimesSync(r.path('sub/inner.txt'), 1, 1),
    changes: [],
  },
  {
    id: 'dirt-in-a-submodule',
    name: 'dirt in a submodule',
    before: withSubmodule,
    act: (r) => {
      r.write('sub/inner.txt', 'changed\n');
      r.write('sub/new.txt', 'new\n');
    },
    changes: ['modified sub', 'modified sub/inner.txt', 'added sub/new.txt'],
    coldDiffers: true,
  },
  {
    id: 'more-dirt-in-a-dirty-submodule-that-is-set-to-be-ignored',
    name: 'more dirt in a dirty submodule that is set to be ignored',
    before: (r) => {
      withSubmodule(r);
      r.git('config', 'submodule.sub.ignore', 'all');
      r.write('sub/inner.txt', 'dirty\n');
    },
    act: (r) => r.write('sub/inner.txt', 'dirtier\n'),
    changes: ['modified sub', 'modified sub/inner.txt'],
    coldDiffers: true,
  },
  {
    id: 'commit-in-a-submodule',
    name: 'commit in a submodule',
    before: withSubmodule,
    act: (r) => {
      r.write('sub/inner.txt', 'changed\n');
      repositoryAt(r.path('sub')).commitAll('inside');
    },
    changes: ['modified sub', 'modified sub/inner.txt'],
  },
  {
    id: 'submodule-added-by-the-agent',
    name: 'submodule added by the agent',
    act: (r) => {
      const origin = makeRepository({ 'inner.txt': 'inner\n' });
      r.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', origin.root, 'sub');
    },
    changes: ['added .gitmodules', 'added sub', 'added sub/inner.txt'],
  },
  {
    id: 'submodule-removed-by-the-agent',
    name: 'submodule removed by the agent',
    before: withSubmodule,
    act: (r) => r.remove('sub'),
    changes: ['deleted sub', 'deleted sub/inner.txt'],
  },
  {
    id: 'submodule-becomes-a-plain-folder',
    name: 'submodule becomes a plain folder',
    before: withSubmodule,
    act: (r) => r.remove('sub/.git'),
    changes: ['deleted sub', 'deleted sub/inner.txt', 'added sub/inner.txt'],
  },
];
