/** @module-tag slow */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { ACCESS, type Ntfy, openNtfy, TOPIC } from '../helpers/chats/ntfy.ts';
import { CHAT, openTelegram, type Telegram, TOKEN } from '../helpers/chats/telegram.ts';
import {
  blocked,
  claim,
  makeProject,
  type Project,
  SHELL_CLAIM,
  scenarioOf,
  shellAgent,
  withoutBox,
  write,
} from '../helpers/cli.ts';
import { openGate } from '../helpers/open-gate.ts';

// Without a box, an agent could read everything in the environment of ralph's programs.
withoutBox();

const SECRETS = [TOKEN, TOPIC, ACCESS];
const NAMES = ['RALPH_TELEGRAM_TOKEN', 'RALPH_TELEGRAM_SERVER', 'RALPH_NTFY_TOPIC', 'RALPH_NTFY_TOKEN'];
afterEach(() => {
  for (const name of NAMES) delete process.env[name];
});

const ASKS_ONCE = [
  { when: { prompt_includes: '8080' }, do: [write('port.txt', '8080\n'), claim('port.txt:1 it')] },
  { do: [blocked('Which port?')] },
];

function project(channel: string, steps: readonly object[] = ASKS_ONCE, more = ''): Project {
  return makeProject({
    '.ralph/ralph.toml': `[loop]\nagent = "scripted"\n${more}[notify]\n${channel}`,
    '.ralph/scenario.json': scenarioOf(steps),
  });
}

async function withTelegram(): Promise<Telegram> {
  const telegram = await openTelegram();
  process.env.RALPH_TELEGRAM_TOKEN = TOKEN;
  process.env.RALPH_TELEGRAM_SERVER = telegram.url;
  return telegram;
}

async function withNtfy(): Promise<Ntfy> {
  const ntfy = await openNtfy();
  process.env.RALPH_NTFY_TOPIC = TOPIC;
  process.env.RALPH_NTFY_TOKEN = ACCESS;
  return ntfy;
}

const ON_TELEGRAM = `telegram = ${CHAT}\n`;

/**
 * Returns the files with one of the secrets among all that the tests wrote: repositories, ralph's own folders,
 * temporary files.
 */
function withSecrets(): string {
  const patterns = SECRETS.flatMap((secret) => ['-e', secret]);
  try {
    const home = process.env.HOME ?? '';
    return execFileSync('grep', ['-r', '-l', '-a', '-F', ...patterns, '--', home], { encoding: 'utf8' });
  } catch (error) {
    if ((error as { status?: number }).status === 1) return '';
    throw error;
  }
}

it('a question is answered by a reply in Telegram, and the run that waited continues to its end', async () => {
  const telegram = await withTelegram();
  const one = project(ON_TELEGRAM);
  const run = one.start('run');
  const asked = await telegram.says('Which port?');
  telegram.push({
    message: { message_id: 1, chat: { id: 7 }, from: { id: 7, first_name: 'M' }, text: 'hello' },
  });
  telegram.reply(asked, 'Take 8080');
  await telegram.says('T-1 is answered: your words are in its next prompt.');
  const { code, stdout } = await run.ended;
  expect([code, stdout.replace(/\s+/g, ' ')]).toEqual([
    0,
    expect.stringMatching(/waiting until \d\d:\d\d for your answer about T-1 /),
  ]);
  expect(one.read('port.txt')).toBe('8080\n');
  expect(one.promptOf(2)).toContain('Take 8080');
  expect(one.read('.ralph/journal.jsonl')).toContain('answered by telegram: Ada (@ada)');
  // The chat has the question, the result of the answer, and the end of the run.
  expect(telegram.posted().map(({ text }) => text.split('\n')[0])).toEqual([
    'ralph: the agent asks about T-1',
    'T-1 is answered: your words are in its next prompt.',
    '1 of 1 task done.',
  ]);
  expect(withSecrets()).toBe('');
});

it('a gate is decided by a button in ntfy', async () => {
  const ntfy = await withNtfy();
  const one = project(`ntfy = "${ntfy.url}"\n`, [{ do: [write('a.txt', 'a\n'), claim('a.txt:1 it')] }]);
  one.json('run', '--dry-run');
  await openGate(one.root, 'GATE-AP-RECOVERY', { taskId: 'T-1' });
  const run = one.start('run');
  const asked = await ntfy.says('Tap a choice.');
  expect(asked.title).toBe('ralph: task T-1 waits for you (G-1)');
  await ntfy.tap(asked, 'let the agent try again');
  await ntfy.says('G-1 is decided: retry.');
  expect(await run.ended).toMatchObject({ code: 0 });
  expect(one.json('approvals').decided).toMatchObject([{ id: 'G-1', option: 'retry', user: 'ntfy' }]);
  expect(one.json('approvals', 'verify')).toMatchObject({ exit_code: 0, problems: [] });
  expect(withSecrets()).toBe('');
});

it('an answer between the kill of a run and the next one counts, and nothing is asked twice', async () => {
  const telegram = await withTelegram();
  const one = project(ON_TELEGRAM);
  const run = one.start('run');
  const asked = await telegram.says('Which port?');
  run.child.kill('SIGKILL');
  await run.ended;
  telegram.reply(asked, 'Take 8080');
  expect(await one.start('run').ended).toMatchObject({ code: 0 });
  expect(one.read('port.txt')).toBe('8080\n');
  expect(telegram.posted().filter(({ text }) => text.includes('Which port?'))).toHaveLength(1);
});

it('a break is ended by a button, which counts when the next run starts', async () => {
  const telegram = await withTelegram();
  const one = makeProject({
    '.ralph/PRD.md':
      '# Plan\n\n## Tasks\n\n- [ ] **T-1** One\n- [ ] **T-2** Two\n- [ ] **T-3** Three\n- [ ] **T-4** Four\n',
    '.ralph/ralph.toml': `[loop]\nagent = "scripted"\nmax_attempts_per_task = 1\n[notify]\n${ON_TELEGRAM}`,
    '.ralph/scenario.json': JSON.stringify({
      output: 'claude-stream',
      steps: [
        { when: { task: 'T-4' }, do: [write('four.txt', '4\n'), claim('four.txt:1 it')] },
        { do: [claim('README.md:1 it')] },
      ],
    }),
  });
  const stopped = await one.start('run').ended;
  const asked = await telegram.says('ralph: stopped, and needs you');
  expect(asked.text).toContain('It counts when `ralph run` starts next.');
  expect(await one.start('run').ended).toMatchObject({ code: stopped.code });
  telegram.tap(asked, 'Let runs continue');
  await one.start('run', '--task', 'T-4').ended;
  expect(one.read('four.txt')).toBe('4\n');
  expect(telegram.posted()[0]?.text).toContain('✔ Runs continue.');
});

it('a service that is away costs a line in the report', async () => {
  const telegram = await withTelegram();
  telegram.is({ status: 502 });
  const one = project(ON_TELEGRAM, [{ do: [blocked('Which port?')] }]);
  const { code, stdout } = await one.start('run').ended;
  expect(code).toBe(4);
  expect(one.events().filter(({ event_type }) => event_type === 'notification_failed')).toHaveLength(1);
  const line = 'Not everything got through by telegram: Telegram answered 502. Try it: ralph notify test';
  expect(stdout.replace(/\s+/g, ' ').split(line)).toHaveLength(2);
  expect(one.ralph('report').stdout.replace(/\s+/g, ' ')).toContain(line);
  // The question is sent once the service is back.
  telegram.is('up');
  await one.start('run', '--no-wait').ended;
  const asked = telegram.posted().filter(({ force_reply }) => force_reply);
  expect(asked).toMatchObject([{ text: expect.stringContaining('Which port?') }]);
});

it('no program of an attempt gets a token', async () => {
  const [telegram, ntfy] = [await withTelegram(), await withNtfy()];
  const look = 'env; cat /proc/self/environ /proc/$PPID/environ 2>/dev/null';
  const one = makeProject({
    '.ralph/ralph.toml': `${shellAgent()}[gates]\ncommands = [{ name = "look", run = "(${look}) > $HOME/seen-gate" }]\n[notify]\ncommand = "(${look}) > $HOME/seen-command"\n${ON_TELEGRAM}ntfy = "${ntfy.url}"\n`,
    'agent.sh': `cat > /dev/null; (${look}) > "$HOME/seen-agent"; echo a > a.txt\n${SHELL_CLAIM}`,
  });
  await one.start('run').ended;
  await telegram.says('1 of 1 task done.');
  for (const program of ['agent', 'gate', 'command'])
    expect(readFileSync(join(process.env.HOME ?? '', `seen-${program}`), 'utf8')).toContain('PATH=');
  expect(withSecrets()).toBe('');
});
