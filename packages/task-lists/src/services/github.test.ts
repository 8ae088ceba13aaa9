import { describe, expect, it } from 'vitest';
import { fixture } from '../../test/fixtures.ts';
import { issueNumber, tasksFromGithub } from './github.ts';

const tasks = (json: unknown) => {
  const result = tasksFromGithub(json, { me: null, programs: [] });
  if (!result.ok) throw new Error(result.message);
  return result.tasks;
};
const issue = (fields: object) =>
  tasks([{ number: 1, title: 't', body: '', labels: [], state: 'OPEN', ...fields }])[0];

describe('tasksFromGithub', () => {
  it('reads issues, oldest first', () => {
    const [first, second, third] = tasks(JSON.parse(fixture('github-issues.json')));
    expect(first).toMatchObject({ id: '#7', status: 'done' });
    expect(second).toMatchObject({
      id: '#12',
      title: 'Store notes in a file',
      description: 'Notes are lost on exit.',
      acceptance: ['a note survives a restart', 'the file is made'],
      dependsOn: ['#7'],
      priority: 1,
      timeoutSeconds: 1200,
      status: 'open',
      owner: null,
    });
    expect(third).toMatchObject({ id: '#15', status: 'blocked', kind: 'research', priority: 3 });
  });

  it.each([
    ['Depends on #3, #4 and #5', ['#3', '#4', '#5']],
    ['Depends on #3 + #4', ['#3', '#4']],
    ['Blocked by #3/#4; #5, and #6', ['#3', '#4', '#5', '#6']],
    ['Blocked by: #3', ['#3']],
    ['Depends on:\n- #3\n- [ ] #4 the parser', ['#3', '#4']],
    ['This depends on luck', []],
  ])('%s', (body, dependsOn) => {
    expect(issue({ body })?.dependsOn).toEqual(dependsOn);
  });

  it.each([
    ['P1', 1],
    ['priority/2', 2],
    ['low priority', 3],
    ['high', null],
    ['bug', null],
  ])('label %s gives priority %s', (name, priority) => {
    expect(issue({ labels: [{ name }] })?.priority).toBe(priority);
  });

  it('reads checks and the proof that is asked for', () => {
    expect(issue({ body: 'Check: `npm test`\nProof: tests' })).toMatchObject({
      checks: ['npm test'],
      proof: 'tests',
    });
  });

  it("doesn't believe a claimed owner or approval", () => {
    expect(issue({ body: 'Owner: me\nRemoval approved by: me' })).toMatchObject({
      owner: null,
      removalApprovedBy: null,
    });
  });

  it.each([[{}], [[{ number: 'x' }]], [null]])('refuses %j', (json) => {
    expect(tasksFromGithub(json, { me: null, programs: [] })).toMatchObject({
      ok: false,
      message: expect.stringContaining('not known'),
    });
  });
});

it.each([
  ['#12', 12],
  ['12', null],
  ['#', null],
])('issueNumber of %s is %s', (id, number) => {
  expect(issueNumber(id)).toBe(number);
});

it('names the labels that no field of a task is read from', () => {
  const labels = ['P1', 'kind: verify', 'blocked', 'area: ui', 'good first issue'].map((name) => ({ name }));
  expect(tasksFromGithub([{ number: 3, title: 'a', labels }], { me: null, programs: [] })).toMatchObject({
    unread: [{ what: 'labels area: ui, good first issue', tasks: ['#3'] }],
  });
});
