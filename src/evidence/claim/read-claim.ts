import type { Claim, EvidenceItem } from '../../domain/claim.ts';
import { speaksOfWrites } from '../items/claims-writes.ts';
import { mergeEvidence } from '../items/items.ts';
import { parseProse } from '../items/parse-prose.ts';
import { findStatements, type Statement } from './find-statements.ts';
import { readMessageLines, splitLines } from './message-lines.ts';
import { stripEcho } from './strip-echo.ts';

export type ClaimOptions = {
  /** All of the agent's output is its message, the echoed prompt included. */
  readonly plainText: boolean;
  /** The prompt the agent was given; serves plain text alone. */
  readonly prompt: string;
};

/**
 * Reads what an agent claims from its own final message (spec 1-loop, Claims and evidence). Never throws, whatever the
 * text; the time is linear in its length.
 */
export function readClaim(message: string, options: ClaimOptions): Claim {
  const rawLines = splitLines(message);
  const ownLines = options.plainText ? stripEcho(rawLines, splitLines(options.prompt)) : rawLines;
  const reading = findStatements(readMessageLines(ownLines), options.plainText);
  const said = foldStatements(reading.statements);
  const evidence = mergeEvidence(said.evidence, parseProse(reading.prose));
  return {
    status: said.status,
    exitSignal: said.exitSignal,
    completion:
      said.exitSignal !== false && (said.exitSignal === true || said.status === 'done' || said.promise),
    taskId: said.taskId,
    reason: said.reason,
    claimsWrites: said.evidence.length > 0 || speaksOfWrites(reading.prose),
    evidence,
  };
}

type Said = Pick<Claim, 'status' | 'exitSignal' | 'taskId' | 'reason'> & {
  readonly promise: boolean;
  /** A lone `EXIT_SIGNAL: false` since the last block. */
  readonly denied: boolean;
  readonly evidence: readonly EvidenceItem[];
};

const NOTHING_SAID: Said = {
  status: 'none',
  exitSignal: null,
  taskId: null,
  reason: null,
  promise: false,
  denied: false,
  evidence: [],
};

/**
 * The last block wins as a whole. A lone signal counts from where it stands; an explicit `false` before a block without
 * a signal still holds, a `true` does not.
 */
function foldStatements(statements: readonly Statement[]): Said {
  let said = NOTHING_SAID;
  for (const statement of statements) {
    if (statement.kind === 'block') {
      const exitSignal = statement.block.exitSignal ?? (said.denied ? false : null);
      said = { ...statement.block, exitSignal, promise: false, denied: false };
    } else if (statement.kind === 'signal') {
      said = { ...said, exitSignal: statement.value, denied: !statement.value };
    } else {
      said = { ...said, promise: true };
    }
  }
  return said;
}
