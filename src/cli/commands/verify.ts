import { checkReceipt } from '../../app/commands/check-receipt.ts';
import { type VerifyResult, verify } from '../../app/commands/verify.ts';
import { failure } from '../../app/result.ts';
import { readReport, writeAnswer } from '../../app/setup/verify/asked-for.ts';
import type { WhatAsked } from '../../app/setup/verify/subject.ts';
import { VERIFY_EXIT } from '../../domain/verification.ts';
import type { Call } from '../call.ts';
import { openLoop } from '../loop-input.ts';
import { checkText } from '../render/verify/check.ts';
import { verifyMarkdown } from '../render/verify/markdown.ts';
import { verifySarif } from '../render/verify/sarif.ts';
import { verifyText } from '../render/verify/text.ts';

type VerifyOptions = {
  readonly branch?: string;
  readonly pr?: number;
  readonly staged?: boolean;
  readonly dirty?: boolean;
  readonly task?: string;
  readonly text?: string;
  readonly criteria?: string;
  readonly report?: string;
  readonly sarif?: string;
  readonly markdown?: string;
  readonly receipt?: string;
  readonly note?: boolean;
  readonly sign?: string;
  readonly check?: string;
  readonly signers?: string;
  readonly trust?: boolean;
};

/** `ralph verify` */
export async function run(call: Call, range: string | null = null, options: VerifyOptions = {}) {
  const { branch = null, pr = null, staged = false, dirty = false } = options;
  const { task = null, text = null, criteria = null, report: path, ...rest } = options;
  if (rest.check !== undefined)
    return check(call, { range, branch, pr, staged, dirty }, rest.check, rest.signers);
  const report = path === undefined ? null : await readReport(call.cwd, path);
  if (path !== undefined && report === null)
    return call.print(failure(`${path} can't be read.`, null, VERIFY_EXIT.usage), () => '');
  const isText = call.format === 'text';
  // In other forms, what is printed is read by a program.
  const { input, dispose } = openLoop(isText ? call : { ...call, format: 'json' }, {
    ...{ commit: true, wait: true },
    ...(rest.trust === undefined ? {} : { trust: rest.trust }),
  });
  const result = await verify({
    ...(isText ? input : { ...input, onNotice: call.onNotice }),
    ...{ what: { range, branch, pr, staged, dirty }, demands: { task, text, criteria }, report },
    receipt: { file: rest.receipt ?? null, note: rest.note === true, key: rest.sign ?? null },
  });
  dispose();
  if (result.ok) {
    const files = [
      [rest.sarif, verifySarif],
      [rest.markdown, verifyMarkdown],
    ] as const;
    for (const [file, render] of files) {
      const unwritten = file === undefined ? null : writeAnswer(call.cwd, file, render(result.data));
      if (unwritten !== null) return call.print(unwritten, () => '');
    }
  }
  await call.print(
    result,
    (data, terminal) => RENDER[call.format]?.(data) ?? verifyText(data, terminal),
    !isText,
  );
}

async function check(call: Call, what: WhatAsked, path: string, signers: string | null = null) {
  const text = await readReport(call.cwd, path);
  const result =
    text === null
      ? failure(`${path} can't be read.`, null, VERIFY_EXIT.usage)
      : await checkReceipt({ cwd: call.cwd, text, signers, what });
  await call.print(result, checkText);
}

const RENDER: Readonly<Partial<Record<Call['format'], (data: VerifyResult) => string>>> = {
  markdown: verifyMarkdown,
  sarif: verifySarif,
};
