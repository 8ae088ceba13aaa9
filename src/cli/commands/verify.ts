import type { Command } from 'commander';

import { failure } from '../../app/result.ts';

import type { SubjectOptions } from '../../app/setup/verify/subject.ts';
import { VERIFY_EXIT } from '../../domain/verification.ts';
import { actionOf, type Call, type Examples, wholeNumber } from '../call.ts';
import { openLoop } from '../loop-input.ts';
import { TRUST } from '../loop-options.ts';

export const examples: Examples = {
  verify: [
    'verify',
    'verify main..feature',
    'verify --pr 12 --format markdown',
    'verify --staged --text "Dates have months"',
    'verify --branch feature --criteria criteria.md --report report.md --format sarif',
    'verify main..feature --receipt receipt.json --sign ~/.ssh/id_ed25519',
    'verify --check receipt.json --signers allowed_signers',
  ],
};

export function define(program: Command): void {
  program
    .command('verify')
    .argument(
      '[range]',
      'BASE..HEAD; default: what is not committed, else the branch (on main: unpushed commits, else the last one)',
    )
    .option('--branch <name>', 'a branch, since the main one')
    .option('--pr <number>', 'a pull request, by gh', wholeNumber)
    .option('--staged', 'what is staged')
    .option('--dirty', 'the work tree as it is')
    .option('--task <id>', 'judge it as the work of this task')
    .option('--text <text>', 'what was asked for')
    .option('--criteria <file>', 'criteria and checks, one a line')
    .option('--report <file>', 'what is said of the work, - for the standard input: its evidence is checked')
    .option('--sarif <file>', 'write the answer as SARIF, too')
    .option('--markdown <file>', 'write it as Markdown, too')
    .option('--receipt <file>', 'write the answer as a signed receipt to a new file')
    .option('--note', 'attach the receipt to the commit, as a note in refs/notes/ralph')
    .option('--sign <key>', "the SSH key of the receipt; by default git's user.signingKey")
    .option('--check <receipt>', 'instead, check a receipt offline; - for the standard input')
    .option(
      '--signers <file>',
      "the file of keys whose receipts are accepted; by default git's gpg.ssh.allowedSignersFile",
    )
    .option(...TRUST)
    .description('judge work that ralph did not start: a branch, a pull request, a commit')
    .action(actionOf(run, true));
}

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

export async function run(call: Call, range: string | null = null, options: VerifyOptions = {}) {
  const { verify } = await import('../../app/commands/verify.ts');
  const { readReport, writeAnswer } = await import('../../app/setup/verify/request.ts');
  const { branch = null, pr = null, staged = false, dirty = false } = options;
  const { task = null, text = null, criteria = null, report: path, ...rest } = options;
  if (rest.check !== undefined)
    return check(call, { range, branch, pr, staged, dirty }, rest.check, rest.signers);
  const report = path === undefined ? null : await readReport(call.cwd, path);
  if (path !== undefined && report === null)
    return call.print(failure(`${path} can't be read.`, 'ralph verify --help', VERIFY_EXIT.usage), () => '');
  const isText = call.format === 'text';
  // Progress is only printed with text output, because programs read the other formats.
  const { input, dispose } = openLoop(isText ? call : { ...call, format: 'json' }, {
    commit: true,
    wait: true,
    ...(rest.trust === undefined ? {} : { trust: rest.trust }),
  });
  const result = await verify({
    ...(isText ? input : { ...input, onNotice: call.onNotice }),
    what: { range, branch, pr, staged, dirty },
    demands: { task, text, criteria },
    report,
    receipt: { file: rest.receipt ?? null, note: rest.note === true, key: rest.sign ?? null },
  });
  dispose();
  const { verifyText } = await import('../render/verify/text.ts');
  const { verifyMarkdown: markdown } = await import('../render/verify/markdown.ts');
  const { verifySarif: sarif } = await import('../render/verify/sarif.ts');
  if (result.ok) {
    const files = [
      [rest.sarif, sarif],
      [rest.markdown, markdown],
    ] as const;
    for (const [file, render] of files) {
      const unwritten = file === undefined ? null : writeAnswer(call.cwd, file, render(result.data));
      if (unwritten !== null) return call.print(unwritten, () => '');
    }
  }
  await call.print(
    result,
    (data, terminal) =>
      call.format === 'markdown'
        ? markdown(data)
        : call.format === 'sarif'
          ? sarif(data)
          : verifyText(data, terminal),
    !isText,
  );
}

async function check(call: Call, what: SubjectOptions, path: string, signers: string | null = null) {
  const { checkReceipt } = await import('../../app/commands/check-receipt.ts');
  const { readReport } = await import('../../app/setup/verify/request.ts');
  const { checkText } = await import('../render/verify/check.ts');
  const text = await readReport(call.cwd, path);
  const result =
    text === null
      ? failure(`${path} can't be read.`, 'ralph verify --help', VERIFY_EXIT.usage)
      : await checkReceipt({ cwd: call.cwd, text, signers, what });
  await call.print(result, checkText);
}
