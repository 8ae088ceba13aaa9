import * as z from 'zod/mini';
import type { EvidenceItem } from '../domain/claim.ts';
import { MAX_EVIDENCE } from './merge-evidence.ts';
import { type Block, readSignal, readStatus } from './parse-block.ts';
import { parseEvidenceLine } from './parse-evidence-line.ts';
import type { Says } from './says.ts';

const Paths = z.optional(z.catch(z.array(z.string()), []));
const Text = z.optional(z.catch(z.nullable(z.string()), null));
const Signal = z.optional(z.catch(z.nullable(z.union([z.boolean(), z.string()])), null));

const StatusJson = z.looseObject({
  status: Text,
  exit_signal: Signal,
  exitSignal: Signal,
  EXIT_SIGNAL: Signal,
  task: Text,
  task_id: Text,
  reason: Text,
  evidence: Paths,
  files: Paths,
  files_changed: Paths,
  files_created: Paths,
  files_modified: Paths,
  files_deleted: Paths,
});

/** `RALPH_STATUS: {"status":"done","files":["src/x"]}`; `null` when it is no such object or says nothing. */
export function parseStatusJson(text: string, root: string | null): Block | null {
  const end = text.lastIndexOf('}');
  let value: unknown;
  try {
    value = JSON.parse(text.slice(0, end + 1));
  } catch {
    return null;
  }
  const parsed = StatusJson.safeParse(value);
  if (!parsed.success) return null;
  const json = parsed.data;
  const status = readStatus(json.status ?? '');
  const exitSignal = readSignal(String(json.exit_signal ?? json.exitSignal ?? json.EXIT_SIGNAL ?? ''));
  const lists: readonly [Says, readonly string[]][] = [
    ['touched', json.evidence ?? []],
    ['touched', json.files ?? []],
    ['touched', json.files_changed ?? []],
    ['created', json.files_created ?? []],
    ['modified', json.files_modified ?? []],
    ['deleted', json.files_deleted ?? []],
  ];
  const evidence: EvidenceItem[] = [];
  for (const [says, entries] of lists) {
    for (const entry of entries.slice(0, MAX_EVIDENCE)) {
      // A whole entry is a name, however doubtful it looks: `{"files":["src/x"]}`.
      const quoted = /\s/.test(entry) || entry.includes('`') ? entry : `\`${entry}\``;
      evidence.push(...parseEvidenceLine(quoted, says, root));
    }
  }
  if (status === 'none' && exitSignal === null && evidence.length === 0) return null;
  const reason = json.reason?.trim().slice(0, 2000) || null;
  return { status, exitSignal, taskId: json.task ?? json.task_id ?? null, reason, evidence };
}
