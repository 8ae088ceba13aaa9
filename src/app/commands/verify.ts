import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { gateSpecs } from '../../config/index.ts';
import { answerOf } from '../../decide/index.ts';
import { gatesIn } from '../../domain/command-runs.ts';
import { EXIT, exitCodeOf } from '../../domain/exit.ts';
import type { GateSpec } from '../../domain/gate.ts';
import { runBefore } from '../../domain/gate-baseline.ts';
import type { IterationDecisions, IterationFacts } from '../../domain/records/iteration.ts';
import type { Task } from '../../domain/task.ts';
import { type Answer, type Remark, VERDICT_WORDS, VERIFY_EXIT } from '../../domain/verification.ts';
import { openPorcelain } from '../../git/index.ts';
import { listenForStop } from '../../io/stop-signal.ts';
import { openLab, verifyWork } from '../../loop/index.ts';
import { countMutants } from '../../proof/shown/index.ts';
import { heldOutCheck } from '../doctor/checks/held-out.ts';
import { type DataOf, type Failure, failure, success } from '../result.ts';
import { requireTrust, type TrustMode } from '../setup/check-trust.ts';
import { isAvailable } from '../setup/held-out.ts';
import { PROJECT_FILE } from '../setup/load-config.ts';
import { openPorts } from '../setup/ports.ts';
import { inProject, type Project } from '../setup/project.ts';
import { secretsOf } from '../setup/secrets-of.ts';
import { withFoundGates } from '../setup/trust/found-gates.ts';
import {
  issueReceipt,
  NO_RECEIPT,
  planReceipt,
  type ReceiptOptions,
  type ReceiptPlan,
} from '../setup/verify/receipt.ts';
import { type Demands, requestOf } from '../setup/verify/request.ts';
import { type Subject, type SubjectOptions, subjectOf } from '../setup/verify/subject.ts';
import type { ProjectInput } from '../setup/workspace.ts';

export type VerifyInput = ProjectInput & {
  readonly what: SubjectOptions;
  readonly demands: Demands;
  /** Text of a report that claims something about the work; `null`: there is none. */
  readonly report: string | null;
  readonly receipt?: ReceiptOptions;
  readonly trust: TrustMode;
  /** Whether an agent reads the answer. Held-out gates aren't run then. */
  readonly forAgent?: boolean;
  readonly signal?: AbortSignal;
};
export type VerifyResult = DataOf<typeof verify>;

/**
 * Judges work that ralph didn't start, as a run judges an attempt. Records and copies are temporary. Exit codes:
 * `VERIFY_EXIT`.
 */
export async function verify(input: VerifyInput) {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-verify-'));
  try {
    const found = await withSeparateRecords(
      folder,
      { ...input, settings: null, onNotice: () => undefined },
      (project) => subjectOf(project, input.what),
    );
    if (!found.ok) return found;
    const settings = await settingsAt(input.cwd, found.base.tree);
    return await withSeparateRecords(folder, { ...input, settings }, async (project) => {
      const request = await requestOf(project, input.cwd, input.demands);
      if (!request.ok) return request;
      // Settings decide which uncommitted files belong to the work, so they are read first.
      const subject = found.head.commit === null ? await subjectOf(project, input.what) : found;
      if (!subject.ok) return subject;
      const receipt = await planReceipt(input.receipt ?? NO_RECEIPT, input.cwd, project.root, subject);
      if (receipt?.ok === false) return receipt;
      return verifySubject(project, subject, { ...input, task: request.task, receipt });
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Work is judged by the settings of the tree that it is based on, because changed settings are part of the work. */
async function settingsAt(root: string, tree: string): Promise<Buffer | null> {
  return (await openPorcelain(root)).fileIn(tree, PROJECT_FILE);
}

/** Opens the project with records in `folder`, which is kept, and with copies that are removed. */
export async function withSeparateRecords<R extends { readonly ok: boolean }>(
  folder: string,
  input: ProjectInput,
  work: (project: Project) => Promise<R | Failure>,
): Promise<R | Failure> {
  const separateRecords = { folder, name: `apart-verify-${process.pid}`, stateHome: join(folder, 'home') };
  mkdirSync(separateRecords.stateHome, { recursive: true, mode: 0o700 });
  // Mode "speed" would try no mutants.
  const flags = { ...input.flags, 'loop.mode': 'quality' };
  const result = await inProject({ ...input, flags, separateRecords }, async (project) => {
    try {
      return await work(project);
    } finally {
      await project.git.removeCopies();
    }
  });
  return result.ok ? result : asVerifyFailure(result as Failure);
}

/** Exit code 1 means not verified, and 2 means unjudgeable, so usage and trust errors get other codes. */
function asVerifyFailure(failed: Failure): Failure {
  const codes: Readonly<Record<number, number>> = {
    [EXIT.usage]: VERIFY_EXIT.usage,
    [EXIT.unexpected]: VERIFY_EXIT.cant_tell,
  };
  return { ...failed, exitCode: codes[failed.exitCode] ?? failed.exitCode };
}

type Asked = Pick<VerifyInput, 'report' | 'trust' | 'onNotice' | 'forAgent' | 'signal'> & {
  readonly task: Task;
  /** Seconds after which judging is stopped as by `SIGALRM`; absent: no limit. */
  readonly seconds?: number;
  /** The receipt to make; `null` or absent: none. */
  readonly receipt?: ReceiptPlan | null;
};

export async function verifySubject(given: Project, subject: Subject, asked: Asked) {
  const began = given.clock.monotonicMs();
  const { project, entries } = withGates(given, asked.onNotice);
  const { root, stateHome, config, mode, workplace } = project;
  const offered = project.gates.filter(({ heldOut }) => heldOut === null || asked.forAgent !== true);
  const gates = offered.filter(isAvailable);
  const untrusted = await requireTrust({ root, stateHome, config, entries }, asked.trust);
  if (untrusted !== null)
    return untrusted.next === null ? untrusted : { ...untrusted, next: 'ralph verify --trust' };
  const planned = project.box();
  if (!planned.ok) return planned;
  const held = await heldOutCheck.gather({ ...project, gates, isBoxed: planned.box !== null });
  const wrong = heldOutCheck.judge(held).find(({ status }) => status === 'error');
  if (wrong !== undefined) return failure(`${wrong.title}: ${wrong.detail}.`, wrong.fix);
  const stop = listenForStop({
    ...(asked.seconds === undefined ? {} : { limitSeconds: asked.seconds }),
    ...(asked.signal === undefined ? {} : { signal: asked.signal }),
  });
  const { ports } = openPorts(project, stop, planned.box);
  try {
    const verified = await verifyWork(
      {
        ports,
        workplace,
        root,
        config,
        gates,
        mode,
        run: 'verify',
        texts: {},
        lab: openLab(),
        secrets: secretsOf(config),
        home: homedir(),
      },
      { ...subject, task: asked.task, report: asked.report ?? '' },
    );
    if (verified.kind === 'stopped')
      return failure('Stopped before there was a verdict.', null, exitCodeOf(stop.reason() ?? 'SIGINT'));
    const shown = shownSubject(subject, given.clock.monotonicMs() - began);
    const answer =
      verified.kind === 'unknown'
        ? withoutAnswer(verified.message)
        : answerOf(verified.facts, verified.decisions, verified.paths);
    const details = verified.kind === 'unknown' ? NOTHING_SEEN : seen(verified.facts, verified.decisions);
    const { verdict } = answer;
    const settings = await settingsIn(root, subject);
    const remarks = [
      ...answer.remarks,
      ...settings,
      ...offered.filter((gate) => !isAvailable(gate)).map(notRun),
    ];
    const plan = asked.receipt ?? null;
    const issued =
      plan === null
        ? null
        : await issueReceipt(project, plan, {
            subject,
            answer: { verdict, remarks },
            task: asked.task,
            grade: details.grade,
            gates: details.gates,
            facts: verified.kind === 'unknown' ? null : verified.facts,
          });
    if (issued?.ok === false) return { ...issued, message: `${VERDICT_WORDS[verdict]}. ${issued.message}` };
    const receipt = issued?.receipt ?? null;
    return success({ verdict, ...shown, ...details, remarks, receipt }, VERIFY_EXIT[verdict]);
  } finally {
    stop.dispose();
  }
}

function withGates(project: Project, onNotice: VerifyInput['onNotice']) {
  const { config, entries, found } = withFoundGates({ ...project, entries: project.configEntries() });
  if (found.length === 0) return { project, entries };
  onNotice?.(`Gates found here: ${found.join('; ')}. ralph init writes them down.`);
  return { project: { ...project, config, gates: gateSpecs(config) }, entries };
}

function shownSubject({ what, base, head }: Subject, durationMs: number) {
  return {
    what,
    base: base.commit,
    head: head.commit,
    duration_ms: Math.round(durationMs),
  };
}

/**
 * Warns if the work changes ralph's settings: they may change its own gates, and the review of the diff leaves ralph's
 * files out.
 */
async function settingsIn(root: string, { base, head }: Subject): Promise<Remark[]> {
  const isChanged =
    head.commit !== null && (await (await openPorcelain(root)).differs(base.tree, head.tree, PROJECT_FILE));
  const text = `the work changes ${PROJECT_FILE}; it is judged by the settings of before`;
  return isChanged ? [{ ...weak(text), rule: 'look', path: PROJECT_FILE }] : [];
}

function notRun({ name }: GateSpec): Remark {
  return weak(`gate "${name}" wasn't run: its held_out files aren't here`);
}

function weak(text: string): Remark {
  return { rule: 'weak', level: 'warning', text, path: null, line: null, excerpt: [] };
}

const NOTHING_SEEN: ReturnType<typeof seen> = { grade: 'none', files: 0, gates: [], mutants: null };

function withoutAnswer(text: string): Answer {
  return { verdict: 'cant_tell', remarks: [weak(text)] };
}

function seen(facts: IterationFacts, { proof, gateReport }: IterationDecisions) {
  const { changes, baseline } = facts;
  const mutants = countMutants(facts);
  return {
    grade: proof.grade,
    files: changes.changes.length,
    gates: gateReport.judgements.map(({ name, outcome, standing: status, counts }) => ({
      name,
      standing: status,
      counts,
      before: runBefore(baseline, name)?.outcome.kind ?? null,
      after: outcome.kind,
      tests: gatesIn(facts).find((gate) => gate.name === name)?.results?.tests ?? null,
    })),
    mutants:
      mutants === null ? null : { tried: mutants.tried, killed: mutants.killed, left_out: mutants.leftOut },
  };
}
