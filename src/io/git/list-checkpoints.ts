import { existsSync } from 'node:fs';
import type { CheckpointEntry } from '../../domain/ports.ts';
import { CHECKPOINT_REFS, KEPT_REFS } from './checkpoint.ts';
import { parseKeptBody } from './kept-checkpoint.ts';
import { objectGit, revision, type WorkTree } from './work-tree.ts';

const FIELDS = ['refname', 'committerdate:unix', 'tree', 'parent', 'contents:subject', 'contents:body'];

/** All checkpoints of the repository, newest first; of the same second the one with the higher number. */
export async function listCheckpoints(tree: WorkTree): Promise<readonly CheckpointEntry[]> {
  const listed = await forEachRef(tree, CHECKPOINT_REFS);
  return listed
    .filter((record) => record.tree !== '')
    .sort((one, other) => other.at - one.at || numberOf(other.ref) - numberOf(one.ref))
    .map(({ ref, at, tree: treeId, parents, subject, body }) => {
      const { raw } = parseKeptBody(tree, body);
      return {
        id: ref.slice(CHECKPOINT_REFS.length),
        at: new Date(at * 1000).toISOString(),
        tree: treeId,
        head: parents.find((parent) => parent !== raw) ?? null,
        kept: ref.startsWith(KEPT_REFS),
        note: readable(subject),
      };
    });
}

/** The mark of a kept checkpoint; empty when there is none of that id. */
export async function markOf(tree: WorkTree, id: string): Promise<string> {
  const [record] = await forEachRef(tree, `${CHECKPOINT_REFS}${id}`);
  return record === undefined ? '' : parseKeptBody(tree, record.body).mark;
}

/** Forgets a checkpoint, and those in submodules that came with it; false when there is none of that id. */
export async function dropCheckpoint(tree: WorkTree, id: string): Promise<boolean> {
  const ref = `${CHECKPOINT_REFS}${id}`;
  const commit = await revision(tree, ref);
  const record = (await forEachRef(tree, ref)).find((one) => one.ref === ref);
  if (commit === null || record === undefined) return false;
  for (const { gitDir, id: inner } of parseKeptBody(tree, record.body).inside) {
    const repository = { top: gitDir, gitDir, commonDir: gitDir, ownFolder: null };
    if (existsSync(gitDir)) await dropCheckpoint(repository, inner);
  }
  await objectGit(tree, ['update-ref', '-d', ref, commit]);
  return true;
}

async function forEachRef(tree: WorkTree, pattern: string) {
  const format = FIELDS.map((field) => `%(${field})%00`).join('');
  const listed = await objectGit(tree, ['for-each-ref', `--format=${format}`, pattern]);
  const fields = listed.stdout.toString('utf8').split('\0');
  return Array.from({ length: Math.floor(fields.length / FIELDS.length) }, (_, record) => {
    const [ref = '', at = '', treeId = '', parents = '', subject = '', body = ''] = fields.slice(
      record * FIELDS.length,
      (record + 1) * FIELDS.length,
    );
    // Git ends each record with a newline.
    return {
      ref: ref.trim(),
      at: Number(at),
      tree: treeId,
      parents: parents.split(' ').filter(Boolean),
      subject,
      body,
    };
  });
}

function readable(subject: string): string {
  const [, run, number] = /^ralph checkpoint (.+)\/(\d+)$/.exec(subject) ?? [];
  return run === undefined ? subject : `before iteration ${number} of run ${run}`;
}

function numberOf(ref: string): number {
  return Number(ref.slice(ref.lastIndexOf('/') + 1)) || 0;
}
