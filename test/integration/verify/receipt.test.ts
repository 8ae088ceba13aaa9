/** @module-tag slow */

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkReceipt } from '../../../src/app/commands/check-receipt.ts';
import {
  PAYLOAD_TYPE,
  RECEIPT_NAMESPACE,
  type Receipt,
  type ReceiptPredicate,
  type ReceiptState,
  receiptOf,
} from '../../../src/domain/receipt.ts';
import { signedBytes, writeEnvelope } from '../../../src/io/signing/envelope.ts';
import { checkSignature, signBytes } from '../../../src/io/signing/ssh-signatures.ts';
import { makeRepository, type TestRepository, temporaryFolder } from '../../helpers/repository.ts';
import { makeSigningKey, type SigningKey } from '../../helpers/signing-key.ts';

const ME = 'me@example.com';
const NOTHING = { range: null, branch: null, pr: null, staged: false, dirty: false };

let repository: TestRepository;
let mine: SigningKey;
let colleague: SigningKey;
let stranger: SigningKey;
let expired: SigningKey;
let forGit: SigningKey;
let signers: string;
let first: ReceiptState;
let second: ReceiptState;
let third: ReceiptState;

beforeAll(() => {
  [mine, colleague, stranger, expired, forGit] = [0, 1, 2, 3, 4].map(makeSigningKey) as [
    ...[SigningKey, SigningKey, SigningKey, SigningKey, SigningKey],
  ];
  signers = join(temporaryFolder(), 'allowed_signers');
  const lines = [
    `${ME} ${mine.key}`,
    `colleague@example.com namespaces="git,${RECEIPT_NAMESPACE}" ${colleague.key}`,
    `expired@example.com valid-before="20200101" ${expired.key}`,
    `git@example.com namespaces="git" ${forGit.key}`,
  ];
  writeFileSync(signers, `${lines.join('\n')}\n`);
  repository = makeRepository();
  [first, second, third] = ['one', 'two', 'three'].map((text) => {
    repository.write('README.md', `${text}\n`);
    const gitCommit = repository.commitAll(text);
    return { gitCommit, gitTree: repository.git('rev-parse', `${gitCommit}^{tree}`) };
  }) as [ReceiptState, ReceiptState, ReceiptState];
});

function predicate(changes: Partial<ReceiptPredicate> = {}): ReceiptPredicate {
  const gate = { name: 'test', run: 'npm test', before: 'failed', after: 'passed', standing: 'fixed' };
  return {
    ...{ ralph: '0.1.0', issuedAt: '2026-01-02T03:04:05.000Z', base: first },
    askedFor: { title: '', acceptance: [], checks: [] },
    ...{ verdict: 'verified', grade: 'tests', mutants: null },
    gates: [{ ...gate, counts: false, tests: null, outputSha256: 'a'.repeat(64) }],
    findings: [],
    ...changes,
  };
}

const honest = () => receiptOf(second, predicate());

type Signing = { readonly key?: SigningKey; readonly namespace?: string; readonly type?: string };

async function signed(
  payload: string | object,
  { key = mine, namespace, type = PAYLOAD_TYPE }: Signing = {},
) {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
  const place = { folder: temporaryFolder(), cwd: repository.root };
  const bytes = signedBytes(type, Buffer.from(text));
  const made = await signBytes(bytes, key.file, namespace ?? RECEIPT_NAMESPACE, place);
  if (!made.ok) throw new Error(made.reason);
  return writeEnvelope(type, text, made.fingerprint, made.signature);
}

/** An honest receipt whose payload is another one now, under the signature that it had. */
async function edited(change: (receipt: Receipt) => unknown): Promise<string> {
  const envelope = JSON.parse(await signed(honest()));
  const payload = Buffer.from(JSON.stringify(change(honest()))).toString('base64');
  return JSON.stringify({ ...envelope, payload });
}

const check = (text: string, more: object = {}) =>
  checkReceipt({ cwd: repository.root, text, signers, what: NOTHING, ...more });

async function against(text: string, more: object = {}): Promise<readonly string[]> {
  const checked = await check(text, more);
  if (!checked.ok) throw new Error(checked.message);
  expect(checked.data.holds).toBe(checked.data.against.length === 0);
  if (!checked.data.holds)
    expect(checked).toMatchObject({ exitCode: 3, data: { receipt: null, signers: [] } });
  return checked.data.against;
}

describe('a receipt', () => {
  it('holds as it was made, and ends with the exit code of its verdict', async () => {
    expect(await check(await signed(honest()))).toMatchObject({
      ...{ ok: true, exitCode: 0 },
      data: { holds: true, against: [], signers: [{ signer: ME }], receipt: { verdict: 'verified' } },
    });
    const finding = { rule: 'gates', level: 'error', text: 'red', path: null, line: null } as const;
    const red = predicate({ verdict: 'not_verified', grade: 'none', findings: [finding] });
    expect(await check(await signed(receiptOf(second, red)))).toMatchObject({ exitCode: 1 });
    const unclear = predicate({ verdict: 'cant_tell', grade: 'none', gates: [] });
    expect(await check(await signed(receiptOf(second, unclear)))).toMatchObject({ exitCode: 2 });
  });

  it('holds with members that are unknown, base64 of either alphabet, and a second signature that counts', async () => {
    const one = JSON.parse(await signed({ ...honest(), new: 1 }));
    const other = JSON.parse(await signed({ ...honest(), new: 1 }, { key: colleague }));
    const payload = one.payload.replaceAll('+', '-').replaceAll('/', '_');
    const both = { ...one, new: 1, payload, signatures: [...one.signatures, ...other.signatures] };
    expect(await against(JSON.stringify(both))).toEqual([]);
  });

  it('is of the work that you ask about', async () => {
    const text = await signed(honest());
    const about = (range: string) => against(text, { what: { ...NOTHING, range } });
    expect(await about(`${first.gitCommit}..${second.gitCommit}`)).toEqual([]);
    expect(await about(`${first.gitCommit}..main`)).toEqual([expect.stringContaining('and you ask about')]);
    expect(await about(`${first.gitCommit}~1..${second.gitCommit}`)).toEqual([
      expect.stringContaining('its base'),
    ]);
    expect(await check(text, { what: { ...NOTHING, dirty: true } })).toMatchObject({
      ok: false,
      exitCode: 3,
    });
    expect(await check(text, { what: { ...NOTHING, range: 'a..b' } })).toMatchObject({
      ok: false,
      exitCode: 3,
    });
  });

  it('needs a list of those whose receipts count', async () => {
    const unset = await check(await signed(honest()), { signers: null });
    expect(unset).toMatchObject({ ok: false, exitCode: 3, message: 'Nothing says whose receipts count.' });
    const gone = await check(await signed(honest()), { signers: 'gone' });
    expect(gone).toMatchObject({ ok: false, exitCode: 3, message: 'There is no list of signers gone.' });
    repository.git('config', 'gpg.ssh.allowedSignersFile', signers);
    expect(await against(await signed(honest()), { signers: null })).toEqual([]);
    repository.git('config', '--unset', 'gpg.ssh.allowedSignersFile');
  });
});

const other = <T extends object>(receipt: Receipt, changes: T) => ({ ...receipt, ...changes });
const saying = (receipt: Receipt, changes: Partial<ReceiptPredicate>) =>
  other(receipt, { predicate: { ...receipt.predicate, ...changes } });
const gatesOf = (receipt: Receipt, changes: object) => ({
  gates: receipt.predicate.gates.map((gate) => ({ ...gate, ...changes })),
});
const SAME = 'its commit and its base hold the same files';
const CHANGED = 'its signature is of other content: this was changed after it was signed';

/** What is changed in a receipt, how, and what ralph says of it. */
type Forgery = [what: string, make: () => Promise<string>, ...reasons: (string | RegExp)[]];
const EDITED: readonly Forgery[] = [
  [
    'another commit',
    () => edited((one) => receiptOf({ ...second, gitCommit: third.gitCommit }, one.predicate)),
    ...[CHANGED, /^its commit \w{10} has the tree \w{10}, and it says \w{10}$/],
  ],
  ['another commit and its tree', () => edited((one) => receiptOf(third, one.predicate)), CHANGED],
  [
    'another tree',
    () => edited((one) => receiptOf({ ...second, gitTree: third.gitTree }, one.predicate)),
    ...[CHANGED, /^its commit \w{10} has the tree/],
  ],
  [
    "another base's tree",
    () => edited((one) => saying(one, { base: { ...first, gitTree: second.gitTree } })),
    ...[CHANGED, /^its base \w{10} has the tree/, SAME],
  ],
  [
    'the digest of an output',
    () => edited((one) => saying(one, gatesOf(one, { outputSha256: 'b'.repeat(64) }))),
    CHANGED,
  ],
  [
    'the verdict',
    () => edited((one) => saying(one, { verdict: 'not_verified' })),
    ...[CHANGED, 'it says "not verified", and no finding counts against the work'],
  ],
  ['the version of ralph', () => edited((one) => saying(one, { ralph: '9.9.9' })), CHANGED],
  [
    'what was asked for',
    () => edited((one) => saying(one, { askedFor: { title: 'x', acceptance: [], checks: [] } })),
    CHANGED,
  ],
  [
    'the type of what is said',
    () => edited((one) => other(one, { predicateType: 'https://slsa.dev/provenance/v1' })),
    ...[CHANGED, /^its payload isn't a receipt of this ralph \(predicateType/],
  ],
  [
    'the type of the payload',
    async () => JSON.stringify({ ...JSON.parse(await signed(honest())), payloadType: 'application/json' }),
    ...[CHANGED, 'its payload is "application/json", which isn\'t a receipt\'s'],
  ],
];

const SIGNED_WRONGLY: readonly Forgery[] = [
  [
    'no signature',
    async () => JSON.stringify({ ...JSON.parse(await signed(honest())), signatures: [] }),
    "it isn't signed",
  ],
  [
    'a key that is not allowed',
    () => signed(honest(), { key: stranger }),
    /^its signature is by key SHA256:\S+, which isn't in /,
  ],
  [
    'a key that is not allowed under the name of one that is',
    async () => {
      const [one, by] = [
        JSON.parse(await signed(honest())),
        JSON.parse(await signed(honest(), { key: stranger })),
      ];
      return JSON.stringify({
        ...one,
        signatures: [{ ...by.signatures[0], keyid: one.signatures[0].keyid }],
      });
    },
    /^its signature is by key SHA256:\S+, which isn't in /,
  ],
  [
    'a key that has expired',
    () => signed(honest(), { key: expired }),
    /, which counts until 2020-01-01T\S+ in /,
  ],
  [
    'a key for other things',
    () => signed(honest(), { key: forGit }),
    /, whose namespaces in .* don't have ralph-receipt$/,
  ],
  [
    'a signature for something else',
    () => signed(honest(), { namespace: 'git' }),
    'its signature was made for something else than ralph-receipt',
  ],
  [
    'the signature of another receipt',
    async () => {
      const [one, from] = [
        JSON.parse(await signed(honest())),
        JSON.parse(await signed(receiptOf(third, predicate()))),
      ];
      return JSON.stringify({ ...one, signatures: from.signatures });
    },
    CHANGED,
  ],
  [
    "a stranger's signature beside one that counts",
    async () => {
      const [one, by] = [
        JSON.parse(await signed(honest())),
        JSON.parse(await signed(honest(), { key: stranger })),
      ];
      return JSON.stringify({ ...one, signatures: [...one.signatures, ...by.signatures] });
    },
    /^its signature 2 is by key SHA256:\S+, which isn't in /,
  ],
  [
    'no signature at all in its place',
    async () => JSON.stringify({ ...JSON.parse(await signed(honest())), signatures: [{ sig: 'AAAA' }] }),
    CHANGED,
  ],
];

/** What someone signs whose receipts count, and isn't so. */
const UNTRUE: readonly Forgery[] = [
  [
    'a commit of another repository',
    () => signed(receiptOf({ ...second, gitCommit: 'c'.repeat(40) }, predicate())),
    "its commit cccccccccc isn't in this repository",
  ],
  [
    'a base of another repository',
    () => signed(receiptOf(second, predicate({ base: { ...first, gitCommit: 'c'.repeat(40) } }))),
    "its base cccccccccc isn't in this repository",
  ],
  [
    'another tree',
    () => signed(receiptOf({ ...second, gitTree: first.gitTree }, predicate())),
    ...[/^its commit \w{10} has the tree/, SAME],
  ],
  [
    'a base behind it',
    () => signed(receiptOf(second, predicate({ base: third }))),
    /^its base \w{10} isn't before its commit/,
  ],
  [
    'a gate that counts',
    () => signed(receiptOf(second, predicate(gatesOf(honest(), { counts: true })))),
    'it says "verified", and gate "test" counts against the work',
  ],
  [
    'no proof',
    () => signed(receiptOf(second, predicate({ grade: 'gates' }))),
    'it says "verified", and the proof is "gates"',
  ],
  [
    "something that isn't a receipt",
    () => signed({ hello: 'world' }),
    /^its payload isn't a receipt of this ralph \(_type/,
  ],
  [
    'something else that is signed',
    () => signed('hello', { type: 'text/plain' }),
    'its payload is "text/plain", which isn\'t a receipt\'s',
  ],
  [
    'a member twice',
    () => signed(JSON.stringify(honest()).replace('"verdict"', '"verdict":"verified","verdict"')),
    'its payload has "verdict" twice',
  ],
];

const DAMAGED: readonly Forgery[] = [
  ['nothing', async () => '', /^it isn't whole JSON/],
  ['a part of it', async () => (await signed(honest())).slice(0, 300), /^it isn't whole JSON/],
  [
    'a member twice',
    async () => (await signed(honest())).replace('{', '{"payload":"e30=",'),
    'it has "payload" twice',
  ],
  [
    'a member twice, deeper',
    async () => (await signed(honest())).replace('"keyid"', '"sig":"AAAA","keyid"'),
    'it has "sig" twice',
  ],
  ['another document', async () => '{"hello":"world"}', /^it isn't a signed envelope \(payloadType/],
  ['something too deep', async () => '['.repeat(1e5) + ']'.repeat(1e5), /^it isn't/],
  ['two receipts', async () => (await signed(honest())).repeat(2), /^it isn't whole JSON/],
];

describe('a receipt is refused, with the reason, where', () => {
  it.each([...EDITED])('what was signed is changed: %s', async (_what, make, ...reasons) => {
    expect(await against(await make())).toEqual(reasons.map(matching));
  });

  it.each([...SIGNED_WRONGLY])('its signature does not count: %s', async (_what, make, ...reasons) => {
    expect(await against(await make())).toEqual(reasons.map(matching));
  });

  it.each([...UNTRUE])('it does not fit: %s', async (_what, make, ...reasons) => {
    expect(await against(await make())).toEqual(reasons.map(matching));
  });

  it.each([...DAMAGED])('it is not a receipt: %s', async (_what, make, ...reasons) => {
    expect(await against(await make())).toEqual(reasons.map(matching));
  });

  it('its key is revoked, as git has it', async () => {
    const text = await signed(honest());
    const copy = makeRepository({ revoked: `${mine.key}\n` });
    copy.git('fetch', '-q', repository.root, 'main');
    expect(await against(text, { cwd: copy.root })).toEqual([]);
    copy.git('config', 'gpg.ssh.revocationFile', 'revoked');
    expect(await against(text, { cwd: copy.root })).toEqual([
      expect.stringMatching(/^its signature is by key SHA256:\S+, which \S+\/revoked revokes$/),
    ]);
  });

  it('there is no repository', async () => {
    expect(await check(await signed(honest()), { cwd: temporaryFolder() })).toMatchObject({ exitCode: 3 });
  });

  it('the repository has something else by its ids', async () => {
    const text = await signed(honest());
    const copy = makeRepository();
    copy.git('fetch', '-q', repository.root, 'main');
    const file = copy.object(`${second.gitCommit}:README.md`);
    copy.git('replace', second.gitCommit, third.gitCommit);
    expect(await against(text, { cwd: copy.root })).toEqual([]);
    rmSync(file);
    expect(await against(text, { cwd: copy.root })).toEqual([NOT_WHOLE]);
    writeFileSync(file, deflateSync('blob 6\0other\n'));
    expect(await against(text, { cwd: copy.root })).toEqual([NOT_WHOLE]);
  });
});

const NOT_WHOLE = 'an object of its commits is missing here, or holds something else than its id says';

function matching(reason: string | RegExp) {
  return typeof reason === 'string' ? reason : expect.stringMatching(reason);
}

it('a program that never answers is ended, and said', async () => {
  const bytes = Buffer.from('x');
  const signed = await signBytes(bytes, mine.file, RECEIPT_NAMESPACE, {
    folder: temporaryFolder(),
    cwd: repository.root,
  });
  const programs = temporaryFolder();
  // A process that the program leaves behind holds its output open.
  writeFileSync(join(programs, 'ssh-keygen'), '#!/bin/sh\ntrap "" TERM\nsleep 600 &\nwait\nsleep 600\n', {
    mode: 0o755,
  });
  const { PATH } = process.env;
  process.env.PATH = `${programs}:${PATH}`;
  try {
    const place = { folder: temporaryFolder(), cwd: repository.root, limitMs: 100 };
    const whose = { namespace: RECEIPT_NAMESPACE, allowed: signers, revoked: null };
    const signature = signed.ok ? signed.signature : Buffer.of();
    expect(await checkSignature(bytes, signature, whose, place)).toEqual({
      ok: false,
      reason: "can't be checked: ssh-keygen didn't end within 0.1 s and was stopped",
    });
  } finally {
    process.env.PATH = PATH;
  }
});
