import type { AgentAction } from '../domain/review.ts';

/** Tools that only look, in the words of the seven agents; those that keep a list of steps touch no file either. */
const READ_ONLY = new Set([
  'Read',
  'Glob',
  'Grep',
  'LS',
  'NotebookRead',
  'TodoRead',
  'TodoWrite',
  'BashOutput',
  'ToolSearch',
  'ExitPlanMode',
  'read',
  'glob',
  'grep',
  'ls',
  'list',
  'find',
  'view',
  'rg',
  'codesearch',
  'todoread',
  'todowrite',
  'view_image',
  'update_plan',
  'list_dir',
  'grep_files',
  'read_file',
  'read_many_files',
  'list_directory',
  'search_file_content',
  'grep_search',
  'todo_write',
  'write_todos',
  'get_internal_docs',
  'read_bash',
  'list_bash',
  'report_intent',
]);

/** Tools whose input is a shell command. */
const SHELLS = new Set([
  'Bash',
  'bash',
  'Shell',
  'shell',
  'exec_command',
  'shell_command',
  'local_shell',
  'container.exec',
  'command_execution',
  'run_shell_command',
  'run_terminal_cmd',
  'powershell',
  'Monitor',
  '@shell',
]);

/** Tools that type into a program which was left open. */
const TYPING = new Set(['write_stdin', 'write_bash', 'stdin']);

const WRITERS = new Set([
  'Write',
  'Edit',
  'MultiEdit',
  'NotebookEdit',
  'write',
  'edit',
  'multiedit',
  'write_file',
  'replace',
  'edit_file',
  'create',
  'create_file',
  'str_replace',
  'str_replace_editor',
  'str_replace_based_edit_tool',
  'insert',
]);

const PATCHERS = new Set(['apply_patch', 'patch', 'file_change', 'git_apply_patch']);

/** Tools that write into the agent's own folder below the home folder, and name no path. */
const KEEPERS = new Set(['save_memory']);

/** What an action does, by the name of its tool. `other`: nobody here knows the name. */
export type ActionKind = 'read' | 'shell' | 'typing' | 'write' | 'patch' | 'memory' | 'other';

export function actionKind({ tool }: AgentAction): ActionKind {
  if (READ_ONLY.has(tool)) return 'read';
  if (SHELLS.has(tool)) return 'shell';
  if (TYPING.has(tool)) return 'typing';
  if (WRITERS.has(tool)) return 'write';
  if (PATCHERS.has(tool)) return 'patch';
  return KEEPERS.has(tool) ? 'memory' : 'other';
}

/** Whether the tool merely looks, by its name: what may happen where no ruling can be had. */
export function isReadOnly(action: AgentAction): boolean {
  return actionKind(action) === 'read';
}
