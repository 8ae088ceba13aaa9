import { describe, expect, it } from 'vitest';
import { isWholeBox } from '../helpers/boxed.ts';
import { makeProject, processesIn, SHELL_CLAIM, shellAgent } from '../helpers/cli.ts';

const LIST = '## Tasks\n- [ ] **T-1** One\n- [ ] **T-2** Two\n- [ ] **T-3** Three\n';

/**
 * Notes its task, the folder of its box, how many tasks are ticked in the list that it sees, whether it could write to that,
 * and the folder of the next box.
 */
const agent = (list: string, looks: number) => `cat > prompt-$RALPH_TASK_ID.txt
own=$(sed -n 's|.*/box/\\([^/]*\\)/tmp /tmp .*|\\1|p' /proc/self/mountinfo)
echo "$own" >> used.txt
boxes=$(dirname "$XDG_STATE_HOME"/ralph/*/box/"$own")
looks=0 next=
while [ -z "$next" ] && [ $looks -lt ${looks} ]; do
  sleep 0.05
  looks=$((looks + 1))
  next=$(ls "$boxes" | grep -vxFf used.txt | tail -n 1)
done
if (echo >> ${list}) 2> /dev/null; then list=open; else list=closed; fi
echo "$RALPH_TASK_ID $own $(grep -c '^- .x' ${list}) $list $next" >> boxes.txt
${SHELL_CLAIM}`;

/** A run over three tasks; what the agents noted. `looks`: how often one looks for the next box. */
function nightWith(list: string, looks: number): string[][] {
  const project = makeProject({
    'agent.sh': agent(list, looks),
    '.ralph/PRD.md': LIST,
    '.ralph/ralph.toml': shellAgent(),
  });
  if (list !== '.ralph/PRD.md') {
    project.git('mv', '.ralph/PRD.md', list);
    project.git('commit', '-qm', 'moved');
  }
  expect(project.ralph('run').stdout).toContain('All tasks are done');
  expect(processesIn(project)).toEqual([]);
  for (const id of ['T-1', 'T-2', 'T-3']) expect(project.read(`prompt-${id}.txt`)).toContain(id);
  return project
    .read('boxes.txt')
    .trim()
    .split('\n')
    .map((line) => line.split(' '));
}

describe.skipIf(!isWholeBox)('in the box', () => {
  it('an agent works in the one that was made while the agent before it worked', () => {
    const [first, second, third] = nightWith('.ralph/PRD.md', 200);
    expect(first).toEqual(['T-1', expect.anything(), '0', 'closed', second?.[1]]);
    expect(second).toEqual(['T-2', first?.[4], '1', 'closed', third?.[1]]);
    expect(third).toEqual(['T-3', second?.[4], '2', 'closed', expect.anything()]);
  });

  it('an agent sees a list outside of .ralph/ as it is now, and cannot write to it', () => {
    const night = nightWith('PRD.md', 4);
    const seen = night.map(([id, , ticked, list]) => `${id} ${ticked} ${list}`);
    expect(seen).toEqual(['T-1 0 closed', 'T-2 1 closed', 'T-3 2 closed']);
  });
});
