import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { layersProblem } from 'ralph-box';
import type { MountMode } from 'ralph-box/protocol';
import { describe, expect, it } from 'vitest';
import { boxesOf, isWholeBox } from './boxed.ts';
import { openTestGit } from './open-test-git.ts';
import { makeRepository, type TestRepository, temporaryFolder } from './repository.ts';
import type { WarmProject } from './warm-projects.ts';

type Case = {
  /** Changes the repository after the first run of the gate. */
  readonly act: (repo: TestRepository, project: WarmProject) => void;
  /** Whether another process opens the copies after the change. */
  readonly isLater?: true;
  /** Whether the gate passes in a plain clone. */
  readonly passes: boolean;
  /** Maximum number of units that are built if the build folder is kept. */
  readonly most?: number;
};

const build = (repo: TestRepository, { build }: WarmProject) =>
  spawnSync('sh', ['-c', build], { cwd: repo.root });
const commit = (repo: TestRepository, path: string, text: string) => {
  repo.write(path, text);
  repo.commitAll('more');
};

const CASES: Readonly<Record<string, Case>> = {
  'nothing since': { act: () => undefined, passes: true, most: 0 },
  'built between runs': {
    act: (repo, project) => {
      repo.write(project.source, project.wrong);
      build(repo, project);
      repo.commitAll('wrong');
    },
    ...{ isLater: true, passes: false, most: 2 },
  },
  'built during a run, of code that is committed': {
    act: (repo, project) => {
      commit(repo, project.source, project.wrong);
      build(repo, project);
    },
    ...{ passes: false, most: 2 },
  },
  'built during a run, of code that is not committed': {
    act: (repo, project) => {
      repo.write(project.source, project.wrong);
      build(repo, project);
    },
    ...{ passes: true, most: 2 },
  },
  'an edit that fixes it, built and not committed': {
    act: (repo, project) => {
      commit(repo, project.source, project.wrong);
      repo.write(project.source, project.right);
      build(repo, project);
    },
    ...{ passes: false, most: 2 },
  },
  'an edit that fixes it, built and stashed': {
    act: (repo, project) => {
      commit(repo, project.source, project.wrong);
      repo.write(project.source, project.right);
      build(repo, project);
      repo.git('stash', '-q');
    },
    ...{ isLater: true, passes: false, most: 2 },
  },
  'an edit that fixes it, built and put back with its old time': {
    act: (repo, project) => {
      commit(repo, project.source, project.wrong);
      execFileSync('cp', ['-p', project.source, 'kept.bak'], { cwd: repo.root });
      repo.write(project.source, project.right);
      build(repo, project);
      execFileSync('mv', ['kept.bak', project.source], { cwd: repo.root });
    },
    ...{ passes: false },
  },
  'an artefact of a source that is not committed': {
    act: (repo, { helper, user, ...project }) => {
      commit(repo, ...user);
      repo.write(...helper);
      build(repo, { helper, user, ...project });
    },
    passes: false,
  },
  'an artefact of a source that git ignores': {
    act: (repo, { helper, user, ...project }) => {
      repo.write('.git/info/exclude', `${helper[0]}\n`);
      commit(repo, ...user);
      repo.write(...helper);
      build(repo, { helper, user, ...project });
    },
    passes: false,
  },
  'a source that is committed no more': {
    act: (repo, { helper, user, ...project }) => {
      repo.write(...helper);
      commit(repo, ...user);
      build(repo, { helper, user, ...project });
      repo.git('rm', '-q', helper[0]);
      repo.git('commit', '-q', '-m', 'less');
    },
    passes: false,
  },
};

const layers = isWholeBox && layersProblem(temporaryFolder(), false) === null;
const WAYS = (layers ? (['layers', 'whole'] as const) : (['whole'] as const)).flatMap((showing) => [
  [showing, false] as [MountMode, boolean],
  [showing, true] as [MountMode, boolean],
]);

/** Tests that a gate has the same result in a clean copy as in a plain clone, whatever was built in the checkout. */
export function testWarmCopies(project: WarmProject): void {
  describe.runIf(isWholeBox).each(WAYS)('with what git ignores shown as %s', (showing, isKept) => {
    const keep = isKept ? project.keep : [];
    describe(`keep = ${JSON.stringify(keep)}`, () => {
      it.each(Object.entries(CASES))('%s: as in a plain clone', async (_case, one) => {
        const repo = makeRepository({});
        for (const [path, text] of Object.entries(project.files)) repo.write(path, text);
        repo.commitAll('start');
        if (project.install !== undefined) execFileSync('sh', ['-c', project.install], { cwd: repo.root });
        repo.commitAll('installed');
        expect(build(repo, project).status).toBe(0);
        const box = boxesOf(repo.root);
        let git = await openTestGit(repo.root, {}, showing);
        const gate = async () => {
          const [head, tree] = [repo.git('rev-parse', 'HEAD'), repo.git('rev-parse', 'HEAD^{tree}')];
          const base = { commit: head, tree, branch: 'main', taskId: null };
          // The copy is reset as before each attempt.
          await git.work(1).reset(base, tree);
          const copy = await git.cleanCopy({
            tree,
            base,
            head: { commit: head },
            keep,
            files: [],
            outside: false,
          });
          const ran = box('gate', project.gate, copy.mounted);
          copy.close();
          return { code: ran.code, units: [...ran.output.matchAll(project.unit)].length, output: ran.output };
        };
        const first = await gate();
        expect(first.code, first.output).toBe(0);
        one.act(repo, project);
        if (one.isLater === true) git = await openTestGit(repo.root, {}, showing);
        const then = await gate();
        const plain = inPlainClone(repo, project);
        expect(plain.status === 0, plain.stdout).toBe(one.passes);
        expect(then.code === 0, then.output).toBe(one.passes);
        const all = [...plain.stdout.matchAll(project.unit)].length;
        if (keep.length === 0) expect(then.units, then.output).toBe(all);
        else expect(then.units).toBeLessThanOrEqual(all);
        if (keep.length > 0 && one.most !== undefined && project.buildsAll !== true)
          expect(then.units, then.output).toBeLessThanOrEqual(one.most);
      });
    });
  });
}

/** Runs the gate in a clone of the last commit, with the checkout's installed packages. */
function inPlainClone(repo: TestRepository, { gate }: WarmProject) {
  const clone = join(temporaryFolder(), 'clone');
  execFileSync('git', ['clone', '-q', repo.root, clone]);
  if (existsSync(repo.path('node_modules')))
    cpSync(repo.path('node_modules'), join(clone, 'node_modules'), {
      recursive: true,
      verbatimSymlinks: true,
    });
  return spawnSync('sh', ['-c', gate], { cwd: clone, encoding: 'utf8' });
}
