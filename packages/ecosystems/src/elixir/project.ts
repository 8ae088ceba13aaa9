import { byFile, type Project, testGate } from '../project.ts';

export const elixir: Project = {
  name: 'elixir',
  detect: byFile(['mix.exs'], () => [testGate('mix', 'mix test')]),
};
