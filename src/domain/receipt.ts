import * as z from 'zod/mini';
import { Grade } from './proof.ts';
import { MutantCounts } from './proof-run.ts';
import { TestCounts } from './test-results.ts';
import { REMARK_RULES, type RemarkRule } from './verification.ts';

/** What a receipt's signature is made for (`ssh-keygen -n`), so that one made for something else counts for nothing. */
export const RECEIPT_NAMESPACE = 'ralph-receipt';
/** Where `--note` keeps receipts, and nothing else of ralph's is written. */
export const RECEIPT_NOTES = 'refs/notes/ralph';
/** Of the envelope: what its payload is. */
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
  /** Its command line. */
  run: z.string(),
  /** How it ended before the work (`null`: it didn't run there) and with it, and what follows. */
  before: z.nullable(z.string()),
  after: z.string(),
  standing: z.string(),
  /** It counts against the work. */
  counts: z.boolean(),
  tests: z.nullable(TestCounts),
  /** Of the end of what it printed with the work (at most 8 KB, without credentials), as the result of `--json` has it; `null`: it didn't run. */
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
  /** Version of the ralph that judged. */
  ralph: z.string(),
  /** ISO 8601 UTC. */
  issuedAt: z.string(),
  /** What the work began with. */
  base: State,
  /** What was asked for; without a title and criteria: nothing was. */
  askedFor: z.object({ title: z.string(), acceptance: z.array(z.string()), checks: z.array(z.string()) }),
  verdict: z.enum(['verified', 'verified_weak', 'not_verified', 'cant_tell']),
  grade: Grade,
  gates: z.array(Gate),
  mutants: z.nullable(MutantCounts),
  findings: z.array(Finding),
});
export type ReceiptPredicate = z.infer<typeof ReceiptPredicate>;

/** An in-toto Statement, version 1, about a commit: what the envelope of a receipt holds. */
export const Receipt = z.object({
  _type: z.literal(STATEMENT_TYPE),
  /** The commit and its tree. */
  subject: z.tuple([
    z.object({ name: z.literal('commit'), digest: z.object({ gitCommit: Oid }) }),
    z.object({ name: z.literal('tree'), digest: z.object({ gitTree: Oid }) }),
  ]),
  predicateType: z.literal(PREDICATE_TYPE),
  predicate: ReceiptPredicate,
});
export type Receipt = z.infer<typeof Receipt>;

/** What is said of a commit and its tree, as a receipt. */
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

/** The commit that a receipt is about, and its tree. */
export function headOf({ subject: [commit, tree] }: Receipt): ReceiptState {
  return { ...commit.digest, ...tree.digest };
}
