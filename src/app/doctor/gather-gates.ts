import { gateSpecs } from '../../config/index.ts';
import type { Config } from '../../domain/config.ts';
import type { GateFacts } from './facts.ts';
import { findProgram } from './gather-machine.ts';

/** Words of the shell itself: nothing on PATH answers to them. */
const SHELL_WORDS = new Set(
  '! . : [ [[ alias bg break case cd command continue eval exec exit export false fg for function getopts hash if jobs kill local printf pwd read readonly return set shift source test then time times trap true type ulimit umask unset until wait while { ('.split(
    ' ',
  ),
);

/** Whether the tool that begins each gate's command is there. */
export function gatherGates(root: string, config: Config): GateFacts[] {
  return gateSpecs(config).map(({ name, run, onMissing }) => {
    const tool = toolOf(run);
    return { name, run, tool, found: tool === null || findProgram(tool, root) !== null, onMissing };
  });
}

/** The first word that is a program; `null` when it is the shell's own or made by the shell. */
export function toolOf(run: string): string | null {
  const words = run.trim().split(/\s+/);
  const word = words.find((one) => !/^[A-Za-z_]\w*=/.test(one)) ?? '';
  if (word === '' || SHELL_WORDS.has(word) || /[$`"'\\*?<>|&;(){}~]/.test(word)) return null;
  return word;
}
