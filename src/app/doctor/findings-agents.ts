import type { AgentFacts, DoctorFacts } from './facts.ts';
import { type DoctorFinding, error, info, ok, warning } from './finding.ts';

/** Agents: which are here, which one a run would take, and runners that stand in their way. */
export function agentFindings({ agents }: DoctorFacts): DoctorFinding[] {
  const findings: DoctorFinding[] = [];
  if (agents.problem !== null) {
    const mend = agents.problem.next ?? 'Name an agent with [loop] agent or --agent.';
    findings.push(error('agents.chosen', 'no agent can be used', agents.problem.message, mend));
  } else if (!agents.chosenFound) {
    const mend = `Install ${agents.chosen}, or take another one: [loop] agent or --agent.`;
    findings.push(
      error('agents.chosen', `${agents.chosen} was not found`, `[loop] agent = "${agents.configured}"`, mend),
    );
  } else {
    const why = agents.configured === 'auto' ? 'the first that is installed' : 'as configured';
    findings.push(ok('agents.chosen', `a run takes ${agents.chosen}`, why));
  }
  for (const { name, path, version, signedIn } of agents.builtIn) {
    if (path === null) continue;
    const told = version === null ? `${path} did not tell its version within 2 s` : version;
    const login = signedIn.length > 0 ? `login: ${signedIn.join(', ')}` : 'no sign of a login';
    const detail = `${told}; ${login}`;
    const used = agents.chosen === name && !agents.runners.some((runner) => runner.name === name);
    if (version !== null && signedIn.length > 0) findings.push(ok(`agents.${name}`, name, detail));
    else if (used)
      findings.push(
        warning(
          `agents.${name}`,
          name,
          detail,
          `Start ${name} once by hand and sign in; a login kept elsewhere (a keychain) is not seen here.`,
        ),
      );
    else
      findings.push(
        info(
          `agents.${name}`,
          name,
          detail,
          `Start ${name} once by hand and sign in, if you mean to use it.`,
        ),
      );
  }
  const missing = agents.builtIn.filter(({ path }) => path === null).map(({ name }) => name);
  if (missing.length > 0) findings.push(ok('agents.absent', 'not installed', missing.join(', ')));
  for (const { name, program, found, hidesBuiltIn } of agents.runners) {
    const id = `agents.runner.${name}`;
    if (!found) {
      const mend = `Install ${program}, or correct argv in [runners.${name}].`;
      if (agents.chosen !== name)
        findings.push(info(id, `[runners.${name}]`, `${program} was not found`, mend));
    } else if (hidesBuiltIn) {
      const detail = `its argv takes the place of the built-in ${name} and is read as plain text: no tool calls, no usage, no limits are seen`;
      const mend = `Take argv out of [runners.${name}]; model, extra_args and env work without it.`;
      findings.push(
        agents.chosen === name
          ? warning(id, `[runners.${name}]`, detail, mend)
          : info(id, `[runners.${name}]`, detail, mend),
      );
    } else {
      findings.push(ok(id, `[runners.${name}]`, program));
    }
  }
  return [...findings, ...fallbackFindings(agents), ...reviewFindings(agents)];
}

function fallbackFindings({ fallbackProblems, problem }: AgentFacts): DoctorFinding[] {
  // With the agent of the run missing, what is said of it is said once.
  const left = fallbackProblems.filter((message) => message !== problem?.message);
  const mend = 'Install it, or take it out of [loop] fallback.';
  return left.map((message) => warning('agents.fallback', 'fallback', message, mend));
}

/** What is known before a run of how the agents' actions are reviewed, and of an agent that will not work. */
function reviewFindings({ reviewed, review }: AgentFacts): DoctorFinding[] {
  const findings: DoctorFinding[] = [];
  for (const { name, refusesRoot } of reviewed) {
    if (!refusesRoot) continue;
    const detail = 'it refuses to work without asking as root, so that each attempt fails at once';
    const mend = 'Run ralph as another user; in a container or the like, set IS_SANDBOX=1.';
    findings.push(warning(`agents.root.${name}`, `${name} as root`, detail, mend));
  }
  if (!review.enabled) {
    const ignored = review.requireGate ? '; require_gate = true has no effect with that' : '';
    const detail = `[review] enabled = false: nobody looks at what an agent does${ignored}`;
    const finding = review.requireGate ? warning : info;
    return [...findings, finding('agents.review', 'review', detail, 'Set [review] enabled = true.')];
  }
  reviewed.forEach(({ name, by }, index) => {
    const id = `agents.review.${name}`;
    if (by === 'hook') {
      findings.push(ok(id, `${name} can be made to ask before it acts`));
      return;
    }
    const detail =
      by === 'stream'
        ? 'it cannot be made to ask: what it does is seen when it has begun'
        : 'it prints plain text, so that nobody sees what it does';
    if (review.requireGate) {
      const refused = index === 0 ? error : warning;
      const mend = 'Take an agent with a gate (ralph doctor --agents), or set [review] require_gate = false.';
      findings.push(refused(id, name, `${detail}, and [review] require_gate = true asks for a gate`, mend));
    } else {
      const mend = 'The built-in agents can be made to ask (ralph doctor --agents).';
      findings.push(info(id, name, detail, mend));
    }
  });
  return findings;
}
