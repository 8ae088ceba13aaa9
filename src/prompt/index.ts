export { BUILT_IN_TEMPLATE, EVIDENCE_HEADING, FEEDBACK_HEADING } from './built-in-template.ts';
export { type FeedbackInput, feedbackFor } from './feedback-for.ts';
export { MIN_FEEDBACK_CHARS, renderFeedback, selectFeedback } from './feedback-select.ts';
export { PROMPT_VARIABLES } from './fill-template.ts';
export { type PlanSubject, planPrompt } from './plan-prompt.ts';
export { saysSomething } from './prompt-values.ts';
export { reinforcement } from './reinforced-context.ts';
export { type PromptInput, renderPrompt, withoutExamples } from './render-prompt.ts';
export { templateConflicts } from './template-conflicts.ts';
