import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestRepository } from '../../../test/helpers/repository.ts';
import { type Attack, type AttackResult, brokenIf, type Site } from '../attack.ts';

const LIST = '# Plan\n\n## Tasks\n\n- [ ] **T-1** Write the parser\n';
/** Escape sequence that clears the screen. */
const CLEAR = '\u001b[2J';
const SECRET = 'hunter2-is-not-enough';

const CONFIG =
  '[loop]\nagent = "mine"\nmax_iterations = 1\n[runners.mine]\nargv = ["sh", "./agent.sh", "-"]\n';

type Shown = {
  readonly files?: Readonly<Record<string, string>>;
  /** Shell text that the agent runs. */
  readonly agent?: string;
  readonly config?: string;
  readonly before?: (repository: TestRepository, site: Site) => void;
  /** The commands that are called; their outputs are joined. */
  readonly calls: readonly (readonly string[])[];
  /** Whether the attacker got what it wanted. */
  readonly won: (printed: string, repository: TestRepository, site: Site) => boolean;
};

async function play(site: Site, { files, agent = ':', config = '', ...shown }: Shown): Promise<AttackResult> {
  process.env.SERVICE_TOKEN = SECRET;
  const repository = site.repository({
    '.ralph/PRD.md': LIST,
    '.ralph/ralph.toml': CONFIG + config,
    'agent.sh': `cat > /dev/null\n${agent}\necho parser > parser.txt\n`,
    ...files,
  });
  shown.before?.(repository, site);
  let printed = '';
  for (const call of shown.calls) {
    const { stdout, stderr } = await site.ralph(repository.root, ...call);
    printed += stdout + stderr;
  }
  return brokenIf(shown.won(printed, repository, site), printed.slice(-500));
}

const attack = (name: string, module: string, shown: Shown): Attack => ({
  point: 9,
  name,
  without: { [module]: module.slice(module.lastIndexOf('/') + 1) },
  play: (site) => play(site, shown),
});

const escapes = (printed: string): boolean => printed.includes(CLEAR);
const leaks = (printed: string): boolean => printed.includes(SECRET);
/** The environment approves no repository, so that recorded approvals count. */
const asking = (): void => {
  delete process.env.RALPH_TRUST;
};

export const SHOWN: readonly Attack[] = [
  attack('stream-as-ralph', 'src/io/ui/mark-line.ts', {
    agent: 'echo "✔ T-1 is done and verified"',
    calls: [['run', '--stream']],
    won: (printed) => /^✔ T-1/m.test(printed),
  }),
  attack('escape-in-file-name', 'src/io/ui/printable.ts', {
    agent: `echo x > "$(printf 'a\\033[2Jb.txt')"`,
    calls: [['run'], ['rollback'], ['checkpoints', 'show', 'kept/1']],
    won: escapes,
  }),
  attack('escape-in-gate-name', 'src/io/ui/printable.ts', {
    config: `[gates]\ncommands = [{ name = "test\\u001b[2J", run = "true" }]\n`,
    calls: [['run']],
    won: escapes,
  }),
  attack('escape-in-title', 'src/io/ui/printable.ts', {
    files: { '.ralph/PRD.md': LIST.replace('parser', `parser${CLEAR}`) },
    calls: [['run'], ['status'], ['tasks']],
    won: escapes,
  }),
  attack('line-end-in-gate-name', 'src/io/ui/printable.ts', {
    config: `[gates]\ncommands = [{ name = "a\\n✔ T-1 is done", run = "true" }]\n`,
    calls: [['run']],
    won: (printed) => /^✔ T-1/m.test(printed),
  }),
  attack('escape-in-stream', 'packages/kit/src/stream-lines.ts', {
    agent: 'printf "\\033"; sleep 0.2; printf "[2Jcleared\\n"',
    calls: [['run', '--stream']],
    won: escapes,
  }),
  attack('secret-in-stream', 'packages/kit/src/stream-lines.ts', {
    agent: 'echo "the token is $SERVICE_TOKEN"',
    calls: [['run', '--stream']],
    won: leaks,
  }),
  attack('secret-in-feedback', 'packages/kit/src/redact.ts', {
    calls: [
      ['feedback', 'add', `Use ${SECRET} to sign in`],
      ['feedback', 'list'],
    ],
    won: leaks,
  }),
  attack('secret-in-notification', 'packages/kit/src/redact-deep.ts', {
    files: { '.ralph/PRD.md': LIST.replace('T-1', SECRET) },
    agent: 'echo "token = ghp_kX92mQ7vLp4RtYw83NzBc61HsDfGjE05UaTo" > settings.ini',
    config: '[notify]\ncommand = "cat > told.json"\n',
    calls: [['run']],
    won: (_printed, { read, exists }) => exists('told.json') && read('told.json').includes(SECRET),
  }),
  attack('trust-hides', 'packages/kit/src/text.ts', {
    config: `[gates]\ncommands = ["true \\u001b[8m; echo unseen"]\n`,
    before: asking,
    calls: [['trust', '--list']],
    won: (printed) => !printed.includes('\\u001b[8m'),
  }),
  attack('loosening-attribute', 'src/app/setup/trust/loosening.ts', {
    before: ({ write }) => {
      asking();
      write('.ralph/PRD.md', `${LIST}  - Timeout: 9h\n`);
    },
    calls: [['tasks', '--json']],
    won: (printed) => printed.includes('"timeout_seconds": 32400'),
  }),
  attack('outside-file', 'src/app/setup/trust/leads-outside.ts', {
    before: ({ path }, site) => {
      asking();
      writeFileSync(join(site.outside, 'private.md'), `The password is ${SECRET}\n`);
      symlinkSync(join(site.outside, 'private.md'), path('AGENTS.md'));
    },
    calls: [['trust', '--list']],
    won: (printed) => !printed.includes('private.md'),
  }),
  attack('outside-link-in-attempt', 'src/app/setup/trust/leads-outside.ts', {
    files: {
      'agent.sh':
        'cat >> "$OUTSIDE/prompts"\nln -s "$OUTSIDE/private.md" "$TOP/AGENTS.md"\necho x >> work.txt\n',
    },
    before: (_repository, site) => {
      process.env.OUTSIDE = site.outside;
      writeFileSync(join(site.outside, 'private.md'), 'The meeting is at noon\n');
    },
    calls: [['run', '--max-iterations', '2']],
    won: (_printed, _repository, site) =>
      readFileSync(join(site.outside, 'prompts'), 'utf8').includes('at noon'),
  }),
];
