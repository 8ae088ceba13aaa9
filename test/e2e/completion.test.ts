/** @module-tag rest */

import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { makeProject } from '../helpers/cli.ts';
import { HAS_TERMINAL, onTerminal } from '../helpers/on-terminal.ts';
import { ralphOnPath } from '../helpers/ralph-on-path.ts';

/** A shell that evaluated these titles would run, expand or split them. */
const TASKS = [
  { id: 'T-1', title: 'Write $(touch made) `touch made` the parser' },
  { id: 'T-2', title: 'Write ; touch made & \'the\' "printer": * \\ %F{red} ~' },
  { id: 'T$(touch made)', title: 'no shell takes this as it is' },
  { id: '*', title: 'nor this' },
];

const SHELLS = [
  {
    shell: 'bash',
    start: ['bash', '--norc', '--noprofile', '-i'],
    read: "bind 'set show-all-if-ambiguous on'; source <(ralph completion bash)",
  },
  {
    shell: 'zsh',
    start: ['zsh', '-f', '-i'],
    read: 'unsetopt list_ambiguous; autoload -U compinit && compinit -u -D && source <(ralph completion zsh)',
  },
  { shell: 'fish', start: ['fish', '--no-config', '-i'], read: 'ralph completion fish | source' },
];

const has = (shell: string) => spawnSync(shell, ['--version']).status === 0;
const CLEAR_LINE = '\u0015';

describe.each(SHELLS)('completion in $shell', ({ shell, start, read }) => {
  it.skipIf(!HAS_TERMINAL || !has(shell))(
    'completes commands, tasks, gates and files, and evaluates nothing that is typed or known',
    async () => {
      const project = makeProject({
        '.ralph/prd.json': JSON.stringify({ tasks: TASKS }),
        '.ralph/ralph.toml':
          '[tracker]\npath = ".ralph/prd.json"\n[gates]\ncommands = [{ name = "units", run = "true" }]\n',
        'pages/.keep': '',
      });
      expect(project.ralph('tasks').code).toBe(0);
      const { PATH = '' } = ralphOnPath();
      const size = { columns: 100, rows: 40 };
      const terminal = onTerminal(project.root, [], { ...size, program: start, env: { PATH, PS1: '$ ' } });
      terminal.type(`${read}; echo has read it | tr a-z A-Z\n`);
      await terminal.shows('HAS READ IT');
      for (const [typed, shown] of [
        ['ralph queue show T', /T-1[\s\S]*T-2/],
        ['ralph queue sh', /ralph queue show\b/],
        ['ralph gates un', /ralph gates units/],
        ['ralph run --task=T-', /T-1[\s\S]*T-2/],
        ['ralph report --html pag', /--html pages\//],
        ['ralph unblock $(touch made) --re', /--reason/],
      ] as const) {
        terminal.type(`${typed}\t`);
        await terminal.shows(shown);
        terminal.type(`${CLEAR_LINE}clear\n`);
        await terminal.hides(typed);
      }
      expect(terminal.lines(true).join('\n')).not.toContain('this as it is');
      expect(project.exists('made')).toBe(false);
      terminal.type(`${CLEAR_LINE}exit\n`);
      await terminal.ended;
    },
  );
});
