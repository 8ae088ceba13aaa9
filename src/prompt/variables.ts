/** What a prompt template may name as `{{variable}}`, with what each stands for (docs/PROMPT_ANATOMY.md). */
export const PROMPT_VARIABLES = {
  task: 'the whole task: id, title, description, acceptance criteria, expected paths, notes',
  task_id: 'id of the task',
  task_title: 'title of the task',
  task_description: 'description of the task',
  task_kind: '`build`, `verify` or `research`',
  task_notes: 'notes of the task in the tracker',
  acceptance: 'acceptance criteria, one bullet each',
  expected_paths: 'paths the work is expected to stay within',
  kind_exception: 'what differs for a `verify` or `research` task; empty for `build`',
  attempt: 'number of this attempt at the task, from 1',
  max_attempts: 'failed attempts after which the task is blocked',
  timeout: 'time limit of this attempt, in words ("10 min")',
  constraints: 'constraints of `[prompt]` and of the task',
  boundaries: 'boundaries of `[prompt]` and of the task',
  goals: 'goals of `[prompt]` and of the task',
  gates: 'the gate commands that check the work',
  commit_policy: 'who commits',
  progress: 'how many tasks are done, and the newest of them',
  lessons: 'findings that came back in earlier attempts (`ralph lessons`)',
  notes: 'repository notes (`[files] notes`, by default AGENTS.md)',
  guidance: 'what you wrote in `.ralph/FEEDBACK.md` or with `ralph feedback add`',
  feedback: 'what the loop found wrong in the previous iterations of this task',
  status_block: 'how to end: the status block and its evidence',
} as const satisfies Readonly<Record<string, string>>;

export type PromptVariable = keyof typeof PROMPT_VARIABLES;
export type PromptValues = Readonly<Record<PromptVariable, string>>;

export const PROMPT_VARIABLE_NAMES = Object.keys(PROMPT_VARIABLES) as readonly PromptVariable[];
