import { describe, expect, it } from 'vitest';
import { makeProject, withoutBox } from '../helpers/cli.ts';

withoutBox();

const TASKS: readonly (readonly [title: string, level: string, seconds: number])[] = [
  ['Update Dashboard', 'ui_heavy', 360],
  ['Fix View', 'ui_heavy', 360],
  ['Refactor SwiftUI', 'ui_heavy', 360],
  ['Rename SettingsView', 'ui_heavy', 360],
  ['Update CLI', 'complex', 240],
  ['Refactor parser', 'complex', 240],
  ['Do the thing with the number', 'medium', 180],
  ['Improve the bar', 'medium', 180],
  ['Fix typo in the review', 'simple', 120],
];

const project = makeProject({
  '.ralph/PRD.md': `## Tasks\n\n${TASKS.map(([title], at) => `- [ ] **T-${at}** ${title}\n`).join('')}`,
});

describe('the complexity of a task', () => {
  it('is at least that of a keyword in its title, and medium where only fillers speak', () => {
    const listed: { title: string; complexity: string; timeout_seconds: number }[] =
      project.json('tasks').tasks;
    expect(listed.map((one) => [one.title, one.complexity, one.timeout_seconds])).toEqual(TASKS);
  });

  it('is shown with its keyword, or as the default', () => {
    expect(project.ralph('explain', 'T-1').stdout).toContain("ui_heavy: 'View' (title)");
    expect(project.ralph('explain', 'T-6').stdout).toContain('medium (default)');
  });
});
