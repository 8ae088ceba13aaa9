import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { type Case, Gate } from './case.ts';
import { must } from './command.ts';

/** Commits of one public repository that are played as attempts, by their kind. */
const History = z.strictObject({
  /** Name of the repository, `OWNER/NAME`; its git directory is `OWNER+NAME/repo` below `--from`. */
  repository: z.string(),
  needs: z._default(z.string(), 'true'),
  /**
   * Shell command that installs what the gates need in a checkout of the parent commit; `$PROOF_CACHE` is a folder that
   * is kept.
   */
  prepare: z.optional(z.string()),
  gates: z.array(Gate),
  commits: z.record(z.string(), z.array(z.string())),
});
type History = z.infer<typeof History>;

/** Returns each commit as one attempt: it begins on the commit's parent, and the agent makes the commit's diff. */
export async function historyCases(from: string): Promise<Case[]> {
  const folder = join(import.meta.dirname, 'history');
  const histories = readdirSync(folder)
    .toSorted()
    .map((name) => z.parse(History, parse(readFileSync(join(folder, name), 'utf8'))));
  const all = await Promise.all(histories.map((history) => casesOf(history, from)));
  return all.flat();
}

async function casesOf(history: History, from: string): Promise<Case[]> {
  const place = join(from, history.repository.replace('/', '+'), 'repo');
  const gitDir = existsSync(join(place, '.git')) ? join(place, '.git') : place;
  if (!existsSync(gitDir)) return [];
  const named = Object.entries(history.commits).flatMap(([kind, ids]) => ids.map((id) => ({ kind, id })));
  return Promise.all(named.map(({ kind, id }) => caseOf(history, gitDir, kind, id)));
}

/** ralph installs nothing, because `prepare` has done that. */
const NO_SETUP = { gates: { setup: 'off' } };

async function caseOf(history: History, gitDir: string, kind: string, id: string): Promise<Case> {
  const git = (...args: string[]) => must('git', [`--git-dir=${gitDir}`, ...args], '/');
  const subject = (await git('log', '-1', '--format=%s', id)).trim();
  return {
    ...{ name: `${history.repository}/${id}`, kind, expected: 'done', possible: false },
    ...{ needs: history.needs, packages: [], ignored: {}, settings: NO_SETUP, truth: null, files: {} },
    task: subject,
    gates: history.gates,
    prepare: history.prepare ?? null,
    populate: (root) =>
      must('sh', ['-c', `git --git-dir="${gitDir}" archive ${id}^ | tar x -C "${root}"`], '/'),
    patch: await git('diff', '--binary', '--no-renames', `${id}^`, id),
    agent: [{ action: 'run', argv: ['git', 'apply', '--whitespace=nowarn', PATCH] }],
  };
}

/** Path of a case's patch in the repository. */
export const PATCH = '.ralph/work.patch';
