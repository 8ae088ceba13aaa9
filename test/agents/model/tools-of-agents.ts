import { dirname, relative } from 'node:path';
import type { Call } from './scenario.ts';
import type { Conversation, OfferedTool, ToolCall } from './wire-format.ts';

/** The call in terms of a tool that the request offers. @param root folder that the agent works in. */
export function toolCallFor(
  call: Call,
  { tools, results }: Pick<Conversation, 'tools' | 'results'>,
  root: string,
): ToolCall {
  const offered = new Map(tools.map((tool) => [tool.name, tool]));
  if (call.kind === 'raw') {
    const { name } = call;
    const input = typeof call.input === 'function' ? call.input(results) : call.input;
    return { name, namespace: offered.get(name)?.namespace ?? null, input };
  }
  const found = call.kind === 'shell' ? shellCall(call, offered) : writeCall(call, offered, root);
  if (found !== null) return found;
  if (call.kind === 'write') return toolCallFor(writeByShell(call), { tools, results }, root);
  throw new Error(`no tool for a ${call.kind} call among: ${[...offered.keys()].join(', ')}`);
}

type Offered = ReadonlyMap<string, OfferedTool>;

function shellCall(call: Extract<Call, { kind: 'shell' }>, offered: Offered): ToolCall | null {
  const { command, patienceMs } = call;
  const named = (name: string, input: Record<string, unknown>): ToolCall => ({
    name,
    namespace: offered.get(name)?.namespace ?? null,
    input,
  });
  const wait = patienceMs === undefined ? {} : { yield_time_ms: patienceMs };
  if (offered.has('exec_command')) return named('exec_command', { cmd: command, ...wait });
  if (offered.has('shell_command')) return named('shell_command', { command });
  if (offered.has('run_shell_command')) {
    return named('run_shell_command', { command, description: 'runs a command', is_background: false });
  }
  if (offered.has('Execute')) {
    const [summary, riskLevelReason] = ['Runs one more command', 'it is in the scenario'];
    const timeout = patienceMs === undefined ? {} : { timeout: Math.ceil(patienceMs / 1000) };
    return named('Execute', { command, summary, riskLevelReason, riskLevel: 'low', ...timeout });
  }
  if (offered.has('shell')) return named('shell', { command });
  if (offered.has('run_commands')) return named('run_commands', { commands: [command] });
  const name = ['Bash', 'bash'].find((bash) => offered.has(bash));
  if (name === undefined) return null;
  const parameters = offered.get(name)?.parameters ?? new Map<string, string>();
  return named(name, {
    command,
    ...(parameters.has('description') ? { description: 'runs a command' } : {}),
    ...(patienceMs === undefined ? {} : waits(parameters, patienceMs)),
  });
}

function waits(parameters: ReadonlyMap<string, string>, patienceMs: number): Record<string, unknown> {
  const seconds = Math.ceil(patienceMs / 1000);
  if (parameters.has('initial_wait')) return { initial_wait: seconds };
  const description = parameters.get('timeout');
  if (description === undefined) return {};
  return { timeout: /\bseconds\b/i.test(description) && !/milli/i.test(description) ? seconds : patienceMs };
}

function writeCall(
  { path, content }: Extract<Call, { kind: 'write' }>,
  offered: Offered,
  root: string,
): ToolCall | null {
  const named = (name: string, input: ToolCall['input']): ToolCall => ({ name, namespace: null, input });
  if (offered.has('Write')) return named('Write', { file_path: path, content });
  if (offered.has('write_file')) return named('write_file', { file_path: path, content });
  const write = offered.get('write');
  if (write !== undefined) {
    return named('write', write.parameters.has('filePath') ? { filePath: path, content } : { path, content });
  }
  if (offered.has('Create')) return named('Create', { file_path: path, content });
  if (offered.has('create')) return named('create', { path, file_text: content });
  const patch = offered.get('apply_patch');
  if (patch === undefined) return null;
  const lines = content.replace(/\n$/, '').split('\n');
  const words = ['*** Begin Patch', `*** Add File: ${relative(root, path)}`, ...lines.map((l) => `+${l}`)];
  const input = `${[...words, '*** End Patch'].join('\n')}\n`;
  return named('apply_patch', patch.freeText ? input : { input });
}

function writeByShell({ path, content }: Extract<Call, { kind: 'write' }>): Call {
  const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;
  const command = `mkdir -p ${quoted(dirname(path))} && printf %s ${quoted(content)} > ${quoted(path)}`;
  return { kind: 'shell', command };
}
