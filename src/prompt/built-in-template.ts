/** Heading of the feedback in every prompt (docs/PROMPT_ANATOMY.md). */
export const FEEDBACK_HEADING = '## Previous Iteration Feedback (DO NOT IGNORE)';

export const EVIDENCE_HEADING = '## REQUIRED: Evidence of File Writes';

/** Alternatives are written as `A | B`, so that an agent's echo of its prompt isn't a claim (ADR 7). */
export const STATUS_INSTRUCTIONS = `End your final message with exactly this block, one value chosen in each line:

\`\`\`
RALPH_STATUS
TASK: {{task_id}}
STATUS: DONE | ALREADY_DONE | IN_PROGRESS | BLOCKED
EXIT_SIGNAL: true | false
EVIDENCE:
- path/to/file.ext:10-42 what was done there
REASON: (when BLOCKED)
END_RALPH_STATUS
\`\`\`

- EVIDENCE: every file that you created, modified or deleted for this task, in earlier attempts, too, with the lines as they are now. Each is compared.
- DONE, with the exit signal true: the task is complete, also where earlier attempts did all of it and nothing is left. A claim that the files contradict is ignored.
- ALREADY_DONE: it was complete before the first attempt; show where. The user decides.
- IN_PROGRESS: unfinished; no failure as long as files were written.
- BLOCKED: you need the user, or a test, the task or its criteria are wrong or contradict each other. Say in REASON what it is. It costs no attempt, and is better than a workaround.`;

/** Rules that apply under every template. */
export const RULES = `- Leave the task list and everything under \`.ralph/\` alone, whatever else is said here: the program ticks what it has verified.
- Leave git's settings alone: remotes, hooks, upstream branches, new submodules.
- Your home folder and the rest of the machine may be read-only; temporary files can be written. If you need more, report BLOCKED.`;

/** Prompt template for projects without their own; shipped as templates/PROMPT_build.md. */
export const BUILT_IN_TEMPLATE = `# One task, done in files

You work alone in this repository. When you stop, a program compares the files with how they were before, runs its checks and reads what you claim. It trusts the files first, then the checks, and your words last.

## What to do now

1. Read the task below and the code that it touches.
2. Make the change in files, with your write and edit tools. You are authorised to do so; do not ask. Code in a message, a plan or a patch that isn't applied doesn't count.
3. Read back what you wrote and check it.
4. End with the status block described at the end.

{{kind_exception}}

## Task

{{task}}

## Constraints

{{constraints}}

## Boundaries

{{boundaries}}

## Goals

{{goals}}

## Gates

{{gates}}

## Rules

- Work on task {{task_id}} only. Don't touch other tasks, or code that this one doesn't need.
- Other work that you notice isn't yours: propose at most five tasks above the status block by \`PROPOSED_TASKS:\` and \`{"tasks": [{"title": "…", "criteria": ["…"]}]}\`.
- This is attempt {{attempt}} of {{max_attempts}}, and it is ended after {{timeout}}. Write files early and work in small steps: what is written stays there.
- Correct code only: don't delete, skip, focus or weaken tests or assertions, lower thresholds, silence linters or compilers, or write code that recognises a test.
{{rules}}

## Progress

{{progress}}

## Repository Notes

{{notes}}

## Lessons

{{lessons}}

## Guidance From the User

{{guidance}}

${FEEDBACK_HEADING}

{{feedback}}

${EVIDENCE_HEADING}

${STATUS_INSTRUCTIONS}
`;
