import { describe, expect, it } from 'vitest';
import type { AgentEvent } from './event.ts';
import { NO_ANSWER } from './hook.ts';
import { ADAPTERS } from './index.ts';

type Lines = Readonly<Record<string, (words: string) => Record<string, unknown>>>;

const claudeResult = (words: string, meta: unknown = undefined) => ({
  type: 'user',
  message: { content: [{ type: 'tool_result', tool_use_id: '1', is_error: true, content: words }] },
  ...(meta === undefined ? {} : { tool_result_meta: [meta] }),
});
const qwenResult = (words: string) => claudeResult(words);
const piResult = (words: string, tool = 'bash') => ({
  ...{ type: 'tool_execution_end', toolCallId: '1', toolName: tool, isError: true },
  result: { content: [{ type: 'text', text: words }], details: {} },
});
const geminiResult = (type: string, message = 'no') => ({
  ...{ type: 'tool_result', tool_id: '1', status: 'error', output: message },
  error: { type, message },
});
const copilotResult = (message: string, code = 'failure') => ({
  type: 'tool.execution_complete',
  data: { toolCallId: '1', success: false, error: { message, code } },
});
const opencodeResult = (error: string) => ({
  type: 'tool_use',
  part: { tool: 'bash', callID: '1', state: { status: 'error', input: {}, error } },
});
const codexResult = (status: string) => ({
  type: 'item.completed',
  item: { id: '1', type: 'command_execution', command: 'ls', status, exit_code: null },
});
/** What a command printed before it failed, in the form that the agent gives to it. */
const printed: Lines = {
  claude: (words) =>
    claudeResult(`Exit code 1\n${words}`, { id: '1', permission_decision: { decision: 'accept' } }),
  qwen: (words) => qwenResult(`Command: x\nDirectory: (root)\nOutput: ${words}\nError: (none)\nExit Code: 1`),
  pi: (words) => piResult(`${words}\n\nCommand exited with code 1`),
};

const REJECTED = {
  id: '1',
  non_execution_kind: 'permission-rule',
  permission_decision: { decision: 'reject' },
};
const PI_INVALID =
  'Validation failed for tool "bash":\n  - command: must be there\n\nReceived arguments:\n{\n  "timeout": 1\n}';

const REFUSED: readonly (readonly [agent: keyof typeof ADAPTERS, line: Record<string, unknown>])[] = [
  ['claude', claudeResult('<tool_use_error>File has not been read yet.</tool_use_error>')],
  ['claude', claudeResult('<tool_use_error>InputValidationError: Edit failed\nx</tool_use_error>')],
  ['claude', claudeResult('PreToolUse:Bash hook error: no', REJECTED)],
  ['claude', claudeResult('stopped', { id: '1', non_execution_kind: 'cancelled' })],
  ['qwen', qwenResult("params must have required property 'command'")],
  ['qwen', qwenResult('params/is_background must be boolean')],
  ['qwen', qwenResult('Tool "replace" not found in registry. Did you mean "edit"?')],
  ['qwen', qwenResult(NO_ANSWER)],
  ['pi', piResult(PI_INVALID)],
  ['pi', piResult('Validation failed for tool "bash":\n  - x\n\nReceived arguments:\n{}')],
  ['pi', piResult('Tool write_file not found', 'write_file')],
  ['pi', piResult(NO_ANSWER)],
  ['gemini', geminiResult('invalid_tool_params')],
  ['gemini', geminiResult('tool_not_registered')],
  ['gemini', geminiResult('policy_violation')],
  ['copilot', copilotResult('"command": Required')],
  ['copilot', copilotResult("Tool 'write_bash' does not exist.")],
  ['copilot', copilotResult('Denied by preToolUse hook', 'denied')],
  ['opencode', opencodeResult('The bash tool was called with invalid arguments: SchemaError(Missing key)')],
  ['opencode', opencodeResult(NO_ANSWER)],
  ['codex', codexResult('declined')],
];

const FAILED: typeof REFUSED = [
  ['claude', claudeResult('EACCES: permission denied')],
  ['claude', claudeResult('<tool_use_error>x</tool_use_error> and more')],
  // What the tags say doesn't matter where claude says that it ran.
  [
    'claude',
    claudeResult('<tool_use_error>x</tool_use_error>', {
      id: '1',
      permission_decision: { decision: 'accept' },
    }),
  ],
  ['claude', claudeResult('[Request interrupted]', { id: '1', non_execution_kind: 'interrupted' })],
  ['claude', claudeResult('x', { ...REJECTED, id: '2' })],
  ['qwen', qwenResult('Failed to edit, 0 occurrences found for old_string in /a.')],
  ['qwen', qwenResult('Command timed out after 5ms. Below is the output:\nparams must have x')],
  ['pi', piResult('Could not find the exact text in /a.', 'edit')],
  ['pi', piResult('Tool edit not found')],
  ['gemini', geminiResult('shell_execute_error', 'invalid_tool_params')],
  ['gemini', geminiResult('edit_no_occurrence_found')],
  ['copilot', copilotResult('No match found')],
  ['copilot', copilotResult('denied')],
  ['opencode', opencodeResult('Could not find oldString in the file.')],
  ['codex', codexResult('failed')],
];

describe('a call that failed', () => {
  it.each(REFUSED)('%s turned down itself: %j', (agent, line) => {
    expect(resultOf(agent, line)).toMatchObject({ id: '1', ok: false, refused: true });
  });

  it.each(FAILED)('%s may have begun: %j', (agent, line) => {
    const result = resultOf(agent, line);
    expect(result).toMatchObject({ id: '1', ok: false });
    expect(result).not.toHaveProperty('refused');
  });

  const sayings = REFUSED.map(([, line]) => JSON.stringify(line).replaceAll('\\n', '\n')).concat(
    ...[NO_ANSWER, PI_INVALID, 'params must have x', 'Tool bash not found'],
    '<tool_use_error>InputValidationError</tool_use_error>',
  );
  it.each(Object.keys(printed))('%s ran, whatever the command printed', (agent) => {
    for (const words of sayings) {
      const line = printed[agent]?.(words) ?? {};
      expect(resultOf(agent as keyof typeof ADAPTERS, line), words).not.toHaveProperty('refused');
    }
  });
});

function resultOf(agent: keyof typeof ADAPTERS, line: unknown): AgentEvent | undefined {
  return ADAPTERS[agent].parse(JSON.stringify(line)).find(({ kind }) => kind === 'tool_result');
}
