/** Heading of the feedback in every prompt (spec 1-loop, Feedback). */
export const FEEDBACK_HEADING = '## Previous Iteration Feedback (DO NOT IGNORE)';

export const EVIDENCE_HEADING = '## REQUIRED: Evidence of File Writes';

/**
 * The status block of spec 1-loop, Claims. The alternatives stand as `A | B`, so that the example isn't a valid claim
 * when an agent echoes its prompt.
 */
export const STATUS_INSTRUCTIONS = `End your final message with exactly this block, one value chosen in each line:

\`\`\`
RALPH_STATUS
TASK: {{task_id}}
STATUS: DONE | IN_PROGRESS | BLOCKED
EXIT_SIGNAL: true | false
EVIDENCE:
- path/to/file.ext:10-42 what was done there
REASON: (when BLOCKED)
END_RALPH_STATUS
\`\`\`

- List under EVIDENCE every file that you created, modified or deleted, with the line numbers as they are now. Each item is compared with the work tree: the file must be part of your changes and the lines must meet a changed place.
- Set the exit signal to true only when the task is complete, every acceptance criterion is met and the gates pass. A signal that the work tree contradicts is ignored, and the task stays open.
- Unfinished work is IN_PROGRESS: that isn't a failure as long as files were written.
- When you can't continue without the user, use BLOCKED and state in REASON what is missing.`;

/** The prompt template that is used where the project has none of its own; shipped as templates/PROMPT_build.md. */
export const BUILT_IN_TEMPLATE = `# One task, done in files

You are a coding agent that works alone in this repository. When you stop, a program compares the work tree with how it was before, runs the gates and checks what you claim. It trusts the files first, then the gates, and your words last.

## What to do now

1. Read the task below and the code that it touches.
2. Use your write and edit tools NOW to create and modify the files. You are authorised to do so; do not ask. Code shown in a message, a plan, or a patch that is not applied does not count: an attempt that changes no file fails, whatever the message says.
3. Read back what you wrote. Run the gates listed below, if any, and fix what they report.
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
- This is attempt {{attempt}} of {{max_attempts}}, and it is ended after {{timeout}}. Write files early and work in small steps: what is in the work tree stays there.
- Make the gates pass with correct code only. Do not delete, skip, focus or weaken tests or assertions, do not lower thresholds, silence linters or compilers, change what a gate runs, or write code that recognises that it is being tested.
- Leave the task list and everything under \`.ralph/\` alone. The program ticks a task when it has verified it; a tick of yours is undone and counts for nothing.
- Leave git's settings alone: remotes, hooks, upstream branches, new submodules. Commands that change them fail, or are undone.
- Your home folder and the rest of the machine may be read-only; temporary files can be written. If the task needs more, use BLOCKED and state what.
- {{commit_policy}}

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
