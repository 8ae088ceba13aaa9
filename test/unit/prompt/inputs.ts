import { EMPTY_TASK } from 'ralph-task-lists/task';
import type { FeedbackEntry } from '../../../src/domain/feedback.ts';
import { NOTHING_AVOIDED } from '../../../src/domain/findings/avoidance.ts';
import type { GateSpec } from '../../../src/domain/gate.ts';
import type { AgentProfile } from '../../../src/domain/records/state.ts';
import type { FeedbackInput, PromptInput } from '../../../src/prompt/index.ts';
import { NO_ACTIONS } from '../../helpers/facts.ts';

export const TASK = { ...EMPTY_TASK, id: 'E1-02', title: 'Parse quoted fields' };

export const GATE: GateSpec = {
  name: 'test',
  run: 'npm test',
  timeoutMs: 60_000,
  onMissing: 'fail',
  paths: null,
  required: false,
  box: true,
  parses: [],
  heldOut: null,
};

export const PROMPT: PromptInput = {
  template: null,
  templateName: '.ralph/PROMPT_build.md',
  task: TASK,
  attempt: 1,
  unjudged: null,
  maxAttempts: 3,
  constraints: [],
  boundaries: [],
  goals: [],
  notes: [],
  gates: [],
  progress: { done: 0, total: 3, doneTitles: [] },
  feedback: [],
  reinforcement: '',
  reinforce: null,
  throttleNotice: '',
  lessons: [],
  guidance: '',
  timeoutSeconds: 120,
  commit: 'never',
  limits: { notes: 20_000, feedback: 12_000 },
};

export const ENTRY: FeedbackEntry = {
  at: '2026-01-20T10:00:00.000Z',
  taskId: 'E1-02',
  iteration: 2,
  kind: 'no_files',
  source: 'loop',
  text: 'In iteration 2, you wrote NO FILES.',
};

export const ATTEMPT: FeedbackInput = {
  iteration: 2,
  taskId: 'E1-02',
  at: '2026-01-20T10:00:00.000Z',
  findings: [],
  verdict: { kind: 'progress' },
  cause: 'Files were changed and nothing was claimed.',
  gateReport: { status: 'none', judgements: [] },
  gateChanges: [],
  testResults: [],
  avoidance: NOTHING_AVOIDED,
  gates: [],
  ...{ passedElsewhere: [], clashes: [] },
  conflict: null,
  evidence: [],
  tampering: [],
  review: NO_ACTIONS,
  workPaths: [],
  claim: { status: 'in_progress', completion: false },
  timeoutSeconds: 120,
  ignoredPaths: [],
  outputLimit: 4000,
  heldOut: [],
  startsOver: false,
};

export const PROFILE: AgentProfile = {
  agentId: 'claude',
  totalIterations: 7,
  noFilesCount: 3,
  falseCompletionCount: 0,
  filesChanged: 2,
  evidenceCount: 1,
  doneCount: 0,
  lastReinforcement: null,
  thresholdExceeded: false,
  suspended: null,
  window: [],
  levels: {},
  unavailable: null,
};

/** Whether a code fence is open at the end of a text, told independently of the code under test. */
export function endsInsideFence(markdown: string): boolean {
  let open = '';
  for (const line of markdown.split('\n')) {
    const marks = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    const rest = line.trim().slice(marks.length);
    if (open === '') open = marks.startsWith('`') && rest.includes('`') ? '' : marks;
    else if (marks[0] === open[0] && marks.length >= open.length && rest === '') open = '';
  }
  return open !== '';
}
