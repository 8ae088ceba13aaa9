import type { IterationFacts } from '../domain/records/iteration.ts';
import { roleFolder, rolePromptPaths } from '../domain/records/iteration-path.ts';
import type { InputsDocument } from '../domain/records/run-record.ts';
import type { WorkflowFacts } from '../domain/workflow/roles.ts';
import {
  answerProblem,
  plannerPrompt,
  type RoleBasis,
  repairPrompt,
  reviewerPrompt,
} from '../respond/roles/index.ts';
import type { Checks } from './checks.ts';

/** What each role beside the maker was asked: by its files, and by what follows from the facts. */
export function checkRolePrompts(
  checks: Checks,
  files: ReadonlyMap<string, string>,
  { facts, inputs }: { readonly facts: IterationFacts; readonly inputs: InputsDocument | null },
  { sha256 }: { readonly sha256: (text: string) => string },
): void {
  const { workflow } = facts;
  if (workflow === null) return;
  for (const [index, run] of workflow.runs.entries()) {
    const name = roleFolder(run);
    const asked = run.turns.map(({ promptSha256 }) => promptSha256);
    const kept = rolePromptPaths(name).slice(0, asked.length);
    checks.record(
      `prompt of ${name}`,
      kept.map((path) => files.get(path) ?? null),
      asked,
    );
    if (inputs === null) checks.missing(`prompt of ${name}`);
    else
      checks.decision(`prompt of ${name}`, asked, promptsOf({ facts, inputs }, workflow, index).map(sha256));
  }
}

/** The prompts of one agent: the first, and a second one where its answer had to be repaired. */
function promptsOf(basis: RoleBasis, workflow: WorkflowFacts, index: number): readonly string[] {
  const { runs, plan, diff, files } = workflow;
  const run = runs[index];
  if (run === undefined || run.role === 'maker') return [];
  const { role, adversarial, turns } = run;
  if (role === 'explorer' || role === 'creator') {
    return [plannerPrompt(basis, role, runs.slice(0, index))];
  }
  const asking = { role, adversarial, plan, diff, files };
  const [first, second] = turns.map(({ nonce }) => reviewerPrompt(basis, asking, nonce));
  const problem = answerProblem(turns[0]);
  if (problem === null || second === undefined) return first === undefined ? [] : [first];
  return [first ?? '', repairPrompt(second, problem, turns[0]?.text ?? '')];
}
