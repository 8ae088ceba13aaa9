import * as z from 'zod/mini';
import { Grade } from './proof.ts';
import { MutantCounts } from './proof-run.ts';
import { TestCounts } from './test-results.ts';
import { REMARK_RULES, type RemarkRule } from './verification.ts';

/** Namespace in a receipt's signature (`ssh-keygen -n`), so that signatures made for another purpose don't count. */
export const RECEIPT_NAMESPACE = 'ralph-receipt';
/** Git notes ref in which `--note` keeps receipts. ralph writes nothing else there. */
export const RECEIPT_NOTES = 'refs/notes/ralph';
export const PAYLOAD_TYPE = 'application/vnd.in-toto+json';
const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
const PREDICATE_TYPE = 'urn:ralph-gold:receipt:v1';

/** A git id in hex: SHA-1 or SHA-256. */
const Oid = z.string().check(z.regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/));
const Sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));

const State = z.object({ gitCommit: Oid, gitTree: Oid });
export type ReceiptState = z.infer<typeof State>;

const Gate = z.object({
  name: z.string(),
  run: z.string(),
  /** Outcome of the gate without the work; `null`: the gate didn't run without it. */
  before: z.nullable(z.string()),
  /** How the gate ended with the work. */
  after: z.string(),
  /** Conclusion from both outcomes (`GateJudgement.standing`). */
  standing: z.string(),
  counts: z.boolean(),
  tests: z.nullable(TestCounts),
  /**
   * SHA-256 of the end of the output with the work (at most 8 KB, without credentials), as in `--json`; `null`: the
   * gate didn't run.
   */
  outputSha256: z.nullable(Sha256),
});

const Finding = z.object({
  rule: z.enum(Object.keys(REMARK_RULES) as [RemarkRule, ...RemarkRule[]]),
  level: z.enum(['error', 'warning', 'note']),
  text: z.string(),
  path: z.nullable(z.string()),
  line: z.nullable(z.number()),
});

export const ReceiptPredicate = z.object({
  ralph: z.string(),
  /** Time of the receipt, ISO 8601 UTC. */
  issuedAt: z.string(),
  base: State,
  /** The request for the work; without title and criteria, there was none. */
  askedFor: z.object({ title: z.string(), acceptance: z.array(z.string()), checks: z.array(z.string()) }),
  verdict: z.enum(['verified', 'verified_weak', 'not_verified', 'cant_tell']),
  grade: Grade,
  gates: z.array(Gate),
  mutants: z.nullable(MutantCounts),
  findings: z.array(Finding),
});
export type ReceiptPredicate = z.infer<typeof ReceiptPredicate>;

/** The payload of a receipt's envelope: an in-toto Statement, version 1, about a commit. */
export const Receipt = z.object({
  _type: z.literal(STATEMENT_TYPE),
  subject: z.tuple([
    z.object({ name: z.literal('commit'), digest: z.object({ gitCommit: Oid }) }),
    z.object({ name: z.literal('tree'), digest: z.object({ gitTree: Oid }) }),
  ]),
  predicateType: z.literal(PREDICATE_TYPE),
  predicate: ReceiptPredicate,
});
export type Receipt = z.infer<typeof Receipt>;

export function receiptOf({ gitCommit, gitTree }: ReceiptState, predicate: ReceiptPredicate): Receipt {
  return {
    _type: STATEMENT_TYPE,
    subject: [
      { name: 'commit', digest: { gitCommit } },
      { name: 'tree', digest: { gitTree } },
    ],
    predicateType: PREDICATE_TYPE,
    predicate,
  };
}

export function headOf({ subject: [commit, tree] }: Receipt): ReceiptState {
  return { ...commit.digest, ...tree.digest };
}
