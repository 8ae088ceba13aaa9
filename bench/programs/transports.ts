// Measures the round trip of a reviewed action over each transport, in turns with the same transport whose reviewer
// answers at once. Prints milliseconds as JSON, by transport: `reviewed` and `floor`.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ADAPTERS } from 'ralph-agents';
import type { HookMessage } from 'ralph-agents/event';
import type { ChannelHook, HookPlace, SocketHook } from 'ralph-agents/hook';
import type { Ruling } from 'ralph-kit/actions/action';
import { openHook } from '../../src/io/hook/index.ts';
import { openReviewer } from '../../src/loop/watch/reviewer.ts';
import { openLineLog } from '../../src/store/line-log.ts';
import { REVIEWER } from '../../test/helpers/reviewing.ts';
import { machinePlace } from './machine-place.ts';

const [, , folder = '', rounds = '1'] = process.argv;
const COMMANDS = [
  'npm test -- --run src/cart.test.ts 2>&1 | tail -50',
  'git status --short && git diff --stat',
  'rm -rf dist && npm run build && ls -la dist',
  'grep -rn "discount" src --include=*.ts | head -20',
];
const writer = openLineLog(join(folder, 'reviews.jsonl'), 'the log');
const clock = {
  now: () => new Date().toISOString(),
  monotonicMs: () => performance.now(),
  processorMs: () => performance.now(),
};
const onReview = (record: object) => writer.append(JSON.stringify(record));
const settings = { ...REVIEWER.settings, cache: { ...REVIEWER.settings.cache, enabled: false } };
const reviewer = openReviewer({ ...REVIEWER, settings, place: machinePlace(), clock, onReview }, false);

async function reviewed(message: HookMessage, { can }: SocketHook | ChannelHook): Promise<Ruling> {
  return message.kind === 'action' ? reviewer.judge(message.action, can, 'hook') : { decision: 'allow' };
}

type Times = { readonly reviewed: number[]; readonly floor: number[] };

/** Measures a program that is started for each action and reaches ralph over a socket. */
async function hookTimes(): Promise<Times> {
  const { hook } = ADAPTERS.gemini;
  if (hook.transport === 'control channel') throw new Error('gemini asks over a hook');
  const [real, floor] = [await doorOf(hook), await doorOf(null)];
  const times: Times = { reviewed: [], floor: [] };
  const ask = async (client: string, command: string) => {
    const input = { hook_event_name: 'BeforeTool', tool_name: 'run_shell_command', tool_input: { command } };
    const begin = performance.now();
    const child = spawn('sh', ['-c', client], { stdio: ['pipe', 'pipe', 'inherit'] });
    child.stdin.end(JSON.stringify(input));
    child.stdout.resume();
    await new Promise((resolve) => child.once('close', resolve));
    return performance.now() - begin;
  };
  for (let round = 0; round < Number(rounds); round += 1) {
    const command = COMMANDS[round % COMMANDS.length] ?? '';
    times.reviewed.push(await ask(real.place.client, command));
    times.floor.push(await ask(floor.place.client, command));
  }
  for (const door of [real, floor]) door.close();
  return times;
}

/** Returns ralph's end of a socket; `null`: one that answers at once, without a review. */
function doorOf(hook: SocketHook | null) {
  return openHook({
    ...{ folder: join(folder, 'hooks'), cwd: folder, patienceSeconds: 60 },
    onMessage: async (text) => {
      if (hook === null) return { text: '', exitCode: 0 };
      const message = hook.read(text);
      return hook.answer(message, await reviewed(message, hook));
    },
  });
}

/** Measures code in the agent's own process that asks over a socket. */
async function plugInTimes(): Promise<Times> {
  const { hook, plan } = ADAPTERS.opencode;
  if (hook.transport === 'control channel') throw new Error('opencode asks over a plug-in');
  const [real, floor] = [await doorOf(hook), await doorOf(null)];
  const modules = [real, floor].map(({ place }, index) => {
    const [file] = filesOf(plan, place);
    const path = join(folder, `plug-in-${index}.mjs`);
    writeFileSync(path, file?.content ?? '');
    return path;
  });
  const program = `
    const hooks = [];
    for (const path of ${JSON.stringify(modules)}) hooks.push(await (await import(path)).RalphHook());
    const times = [[], []];
    const commands = ${JSON.stringify(COMMANDS)};
    for (let round = 0; round < ${rounds}; round += 1) {
      for (const [index, hook] of hooks.entries()) {
        const begin = performance.now();
        const args = { command: commands[round % commands.length] };
        await hook["tool.execute.before"]({ tool: "bash", callID: "c" + round }, { args });
        times[index].push(performance.now() - begin);
      }
    }
    process.stdout.write(JSON.stringify(times));`;
  const [own = [], floors = []] = JSON.parse(await outputOf(program)) as number[][];
  for (const door of [real, floor]) door.close();
  return { reviewed: own, floor: floors };
}

function filesOf(plan: typeof ADAPTERS.opencode.plan, hook: HookPlace) {
  const request = { model: null, resume: null, extraArgs: [], env: {}, hook, cwd: folder, session: '' };
  return plan(request as unknown as Parameters<typeof plan>[0]).files ?? [];
}

/** Measures an agent that asks on its standard output and reads the answer on its standard input. */
async function channelTimes(): Promise<Times> {
  const { hook, parse } = ADAPTERS.claude;
  if (hook.transport !== 'control channel') throw new Error('claude asks over its channel');
  const program = `
    import { createInterface } from "node:readline";
    const commands = ${JSON.stringify(COMMANDS)};
    const answers = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
    const times = [[], []];
    for (let round = 0; round < 2 * ${rounds}; round += 1) {
      const request_id = (round % 2 === 0 ? "reviewed-" : "floor-") + round;
      const input = { tool_name: "Bash", tool_input: { command: commands[(round >> 1) % commands.length] }, tool_use_id: "t" + round };
      const begin = performance.now();
      process.stdout.write(JSON.stringify({ type: "control_request", request_id, request: { subtype: "hook_callback", input } }) + "\\n");
      await answers.next();
      times[round % 2].push(performance.now() - begin);
    }
    process.stdout.write(JSON.stringify({ times }) + "\\n");
    process.exit();`;
  const child = node(program);
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('{"times"')) {
      const { times } = JSON.parse(line) as { times: number[][] };
      return { reviewed: times[0] ?? [], floor: times[1] ?? [] };
    }
    const floor = /"request_id":"(floor-\d+)"/.exec(line)?.[1];
    if (floor !== undefined) {
      const response = { subtype: 'success', request_id: floor, response: {} };
      child.stdin.write(`${JSON.stringify({ type: 'control_response', response })}\n`);
      continue;
    }
    for (const event of parse(line)) {
      if (event.kind === 'hook')
        child.stdin.write(`${hook.answer(event.message, await reviewed(event.message, hook))}\n`);
    }
  }
  throw new Error('the agent ended without its times');
}

function node(program: string) {
  return spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

async function outputOf(program: string): Promise<string> {
  const child = node(program);
  child.stdin.end();
  let text = '';
  for await (const chunk of child.stdout) text += String(chunk);
  return text;
}

mkdirSync(join(folder, 'hooks'), { recursive: true });
const bare = Array.from({ length: 11 }, () => {
  const begin = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  return performance.now() - begin;
});
const transports = { hook: await hookTimes(), 'plug-in': await plugInTimes(), channel: await channelTimes() };
process.stdout.write(JSON.stringify({ bare, transports }));
process.exit();
