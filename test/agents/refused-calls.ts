import type { Place } from './bench.ts';
import type { Call } from './model/scenario.ts';
import { raw } from './talk.ts';

/** Calls of one kind, in order. */
type Calls = (place: Place) => readonly Call[];

/** Files that the calls are about; `notes/read.md` is the one that is read before it is edited. */
export const NOTES = { 'notes/unread.md': '# Unread\n', 'notes/read.md': '# Read\n' };

/** Calls that each agent turns down itself, as models make them every night, by what is wrong with them. */
export const REFUSED: Readonly<Record<string, Readonly<Record<string, Calls>>>> = {
  claude: {
    'an edit of a file that was not read': ({ root }) => [
      raw('Edit', { file_path: `${root}/notes/unread.md`, old_string: '# Unread', new_string: '# X' }),
    ],
    'a file written over that was not read': ({ root }) => [
      raw('Write', { file_path: `${root}/notes/unread.md`, content: '# X' }),
    ],
    'a text that is not there': ({ root }) => [
      raw('Read', { file_path: `${root}/notes/read.md` }),
      raw('Edit', { file_path: `${root}/notes/read.md`, old_string: 'nowhere', new_string: '# X' }),
    ],
    'a text replaced by itself': ({ root }) => [
      raw('Edit', { file_path: `${root}/notes/read.md`, old_string: 'a', new_string: 'a' }),
    ],
    'missing parameters': ({ root }) => [
      raw('Edit', { file_path: `${root}/notes/read.md` }),
      raw('Bash', {}),
    ],
    'a folder as path': ({ root }) => [
      raw('Edit', { file_path: `${root}/src`, old_string: 'a', new_string: 'b' }),
      raw('Write', { file_path: `${root}/src`, content: 'b' }),
    ],
    'an edit of a file that is not there': ({ root }) => [
      raw('Edit', { file_path: `${root}/none.txt`, old_string: 'a', new_string: 'b' }),
    ],
    'a parameter of another type': () => [raw('Bash', { command: 'ls', timeout: 'soon' })],
    'a command that it does not wait for': () => [raw('Bash', { command: 'sleep 90' })],
    'a tool that it does not have': ({ root }) => [
      raw('MultiEdit', { file_path: `${root}/notes/read.md`, edits: [] }),
      raw('NotebookEdit', { notebook_path: `${root}/notes/read.md`, new_source: 'x' }),
    ],
  },
  codex: {
    'missing parameters': () => [raw('exec_command', {})],
    'a parameter of another type': () => [
      raw('exec_command', { cmd: 7 }),
      raw('exec_command', { cmd: 'ls', yield_time_ms: 'soon' }),
    ],
    'a folder that is not there': () => [raw('exec_command', { cmd: 'ls', workdir: '/nowhere' })],
    'words to a program that is not open': () => [raw('write_stdin', { session_id: 99, chars: 'x' })],
    'a patch that is none': () => [raw('apply_patch', 'nonsense')],
    'a text that is not there': () => [
      raw('apply_patch', '*** Begin Patch\n*** Update File: README.md\n@@\n-nowhere\n+x\n*** End Patch\n'),
    ],
    'a folder as path': () => [
      raw('apply_patch', '*** Begin Patch\n*** Update File: src\n@@\n-a\n+x\n*** End Patch\n'),
    ],
    'a tool that it does not have': () => [
      raw('shell', { command: ['ls'] }),
      raw('no_such_tool', { command: 'ls' }),
    ],
  },
  copilot: {
    'a new file that is there': ({ root }) => [
      raw('create', { path: `${root}/notes/unread.md`, file_text: 'x' }),
    ],
    'missing parameters': ({ root }) => [
      raw('create', { path: `${root}/a.txt` }),
      raw('edit', { path: `${root}/notes/read.md` }),
      raw('bash', {}),
    ],
    'a folder that is not there': ({ root }) => [
      raw('create', { path: `${root}/no/such/a.txt`, file_text: 'x' }),
    ],
    'a text that is not there': ({ root }) => [
      raw('edit', { path: `${root}/notes/read.md`, old_str: 'nowhere', new_str: 'x' }),
    ],
    'a folder as path': ({ root }) => [
      raw('edit', { path: `${root}/src`, old_str: 'nowhere', new_str: 'x' }),
    ],
    'a parameter of another type': () => [
      raw('bash', { command: 7, description: 'x' }),
      raw('bash', { command: 'ls', description: 'x', initial_wait: 'soon' }),
    ],
    'words to a program that is not open': () => [raw('write_bash', { shellId: 'none', input: 'x' })],
    'a tool that it does not have': ({ root }) => [
      raw('str_replace', { path: `${root}/notes/read.md` }),
      raw('apply_patch', { input: 'x' }),
    ],
  },
  gemini: {
    'missing parameters': ({ root }) => [
      raw('replace', { file_path: `${root}/notes/read.md` }),
      raw('run_shell_command', {}),
    ],
    'a text that is not there': ({ root }) => [
      raw('replace', {
        file_path: `${root}/notes/read.md`,
        old_string: 'nowhere',
        new_string: 'x',
        instruction: 'i',
      }),
    ],
    'a folder as path': ({ root }) => [
      raw('replace', { file_path: `${root}/src`, old_string: 'a', new_string: 'x', instruction: 'i' }),
      raw('write_file', { file_path: `${root}/src`, content: 'x' }),
    ],
    'a path that it does not take': ({ root }) => [
      raw('write_file', { file_path: `${root}/../x.txt`, content: 'x' }),
      raw('write_file', { file_path: '', content: 'x' }),
    ],
    'an empty command': () => [raw('run_shell_command', { command: '' })],
    'a folder that is not there': () => [
      raw('run_shell_command', { command: 'ls', dir_path: '/nowhere' }),
      raw('run_shell_command', { command: 'ls', dir_path: 'nowhere' }),
    ],
    'a tool that it does not have': () => [raw('save_memory', { fact: 'x' }), raw('Bash', { command: 'ls' })],
  },
  opencode: {
    'a text that is not there': ({ root }) => [
      raw('edit', { filePath: `${root}/notes/read.md`, oldString: 'nowhere', newString: '# X' }),
    ],
    'missing parameters': ({ root }) => [
      raw('edit', { filePath: `${root}/notes/read.md` }),
      raw('write', { filePath: `${root}/x` }),
      raw('bash', {}),
    ],
    'a folder as path': ({ root }) => [
      raw('edit', { filePath: `${root}/src`, oldString: 'nowhere', newString: '# X' }),
      raw('write', { filePath: `${root}/src`, content: '# X' }),
    ],
    'a parameter of another type': () => [
      raw('bash', { command: 7, description: 'x' }),
      raw('bash', { command: 'ls', description: 'x', timeout: 'soon' }),
    ],
    'a tool that it does not have': ({ root }) => [
      raw('multiedit', { filePath: `${root}/notes/read.md` }),
      raw('patch', { patchText: 'x' }),
    ],
  },
  pi: {
    'a text that is not there': ({ root }) => [
      raw('edit', { path: `${root}/notes/read.md`, edits: [{ oldText: 'nowhere', newText: 'x' }] }),
    ],
    'missing parameters': ({ root }) => [
      raw('edit', { path: `${root}/notes/read.md` }),
      raw('write', { path: `${root}/src` }),
      raw('bash', {}),
    ],
    'a folder as path': ({ root }) => [
      raw('edit', { path: `${root}/src`, edits: [{ oldText: 'nowhere', newText: 'x' }] }),
      raw('write', { path: `${root}/src`, content: 'x' }),
    ],
    'a parameter of another type': () => [
      raw('bash', { command: 'ls', timeout: 'soon' }),
      raw('bash', { command: 'ls', timeout: -1 }),
    ],
    'a tool that it does not have': ({ root }) => [raw('write_file', { path: `${root}/src` })],
  },
  qwen: {
    'an edit of a file that was not read': ({ root }) => [
      raw('edit', { file_path: `${root}/notes/unread.md`, old_string: '# Unread', new_string: '# X' }),
    ],
    'a file written over that was not read': ({ root }) => [
      raw('write_file', { file_path: `${root}/notes/unread.md`, content: '# X' }),
    ],
    'a text that is not there': ({ root }) => [
      raw('read_file', { file_path: `${root}/notes/read.md` }),
      raw('edit', { file_path: `${root}/notes/read.md`, old_string: 'nowhere', new_string: '# X' }),
    ],
    'missing parameters': ({ root }) => [
      raw('edit', { file_path: `${root}/notes/read.md` }),
      raw('run_shell_command', {}),
    ],
    'a folder as path': ({ root }) => [raw('write_file', { file_path: `${root}/src`, content: 'x' })],
    'a path that is not absolute': () => [raw('write_file', { file_path: 'rel.txt', content: 'x' })],
    'an edit of what is no notebook': ({ root }) => [
      raw('notebook_edit', { notebook_path: `${root}/a.txt`, new_source: 'x', cell_id: 'a' }),
    ],
    'an empty command': () => [raw('run_shell_command', { command: '', is_background: false })],
    'a folder that is not its own': () => [
      raw('run_shell_command', { command: 'ls', is_background: false, directory: '/' }),
    ],
    'a parameter of another type': () => [
      raw('run_shell_command', { command: 'ls', is_background: 'x' }),
      raw('save_memory', { fact: 1 }),
    ],
    'a command that it does not wait for': () => [
      raw('run_shell_command', { command: 'sleep 100', is_background: false }),
    ],
    'a background command in the background': () => [
      raw('run_shell_command', { command: 'ls &', is_background: true }),
    ],
    'a tool that it does not have': () => [raw('replace', { file_path: 'x' })],
  },
  // Its hook is asked first, so none of these may be denied by the review.
  droid: {
    'a text that is not there': () => [
      raw('Edit', { file_path: 'notes/read.md', old_str: 'nowhere', new_str: '# X' }),
    ],
    'missing parameters': () => [
      raw('Edit', { file_path: 'notes/read.md' }),
      raw('Create', { content: 'x' }),
    ],
    'a folder as path': () => [raw('Create', { file_path: 'src', content: 'x' })],
    'a patch that is none': () => [raw('ApplyPatch', { input: 'x' })],
    'a tool that it does not have': () => [raw('Bash', { command: 'ls' }), raw('TodoWrite', { todos: 'a' })],
  },
};

/** All of them, in order. */
export function refusedCalls(agent: string, place: Place): readonly Call[] {
  return Object.values(REFUSED[agent] ?? {}).flatMap((calls) => calls(place));
}
