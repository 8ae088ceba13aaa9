// The scripted agent: `node main.js SCENARIO.json`, the prompt on standard input.

import { ActionError, type PlayEnd, play } from './play.ts';
import { type Attempt, chooseActions, loadScenario, nonceIn } from './scenario.ts';
import { claudeVoice, plainVoice } from './voice.ts';

/** EX_USAGE of sysexits.h: the scenario is wrong. */
const BAD_SCENARIO = 64;
/** EX_SOFTWARE: an action failed. */
const ACTION_FAILED = 70;

async function main(): Promise<PlayEnd> {
  const loaded = loadScenario(process.argv[2]);
  if (!loaded.ok) return complaint(BAD_SCENARIO, loaded.message);
  const { scenario } = loaded;
  const attempt = await readAttempt();
  const actions = chooseActions(scenario, attempt);
  if (actions === null) {
    const which = `task ${attempt.task || '(none)'}, attempt ${attempt.attempt}`;
    return complaint(BAD_SCENARIO, `no step of the scenario fits ${which}: add one, or "otherwise"`);
  }
  const write = (line: string) => void process.stdout.write(`${line}\n`);
  const voice = scenario.output === 'claude-stream' ? claudeVoice(write) : plainVoice(write);
  try {
    return await play(actions, attempt, voice);
  } catch (error) {
    // System errors (a folder in place of a file, no rights) are the scenario's fault; others are bugs.
    if (!(error instanceof ActionError) && !(error instanceof Error && 'syscall' in error)) throw error;
    return complaint(ACTION_FAILED, error.message);
  }
}

function complaint(code: number, message: string): PlayEnd {
  return { code, stderr: `scripted agent: ${message}` };
}

async function readAttempt(): Promise<Attempt> {
  const chunks: Buffer[] = [];
  if (!process.stdin.isTTY) for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  const prompt = Buffer.concat(chunks).toString('utf8');
  return {
    task: process.env.RALPH_TASK_ID ?? '',
    attempt: Number(process.env.RALPH_ATTEMPT ?? 1),
    role: process.env.RALPH_ROLE ?? 'maker',
    prompt,
    nonce: nonceIn(prompt),
  };
}

// A closed output isn't an error.
process.stdout.on('error', () => process.exit(0));
// The bundle is CommonJS, which has no top-level await.
void main().then(({ code, stderr }) => {
  if (stderr !== '') process.stderr.write(`${stderr}\n`);
  process.exitCode = code;
});
