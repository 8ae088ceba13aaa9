import boxen from 'boxen';
import type { Action } from 'ralph-kit/actions/action';
import { wordColumnsOf } from 'ralph-kit/columns';
import { capitalized, onOneLine } from 'ralph-kit/text';
import { GATE_TITLES, type GateFacts, type GateRequest, type TriggerName } from '../domain/human/gate.ts';
import { decideCommand } from './commands.ts';
import { optionsOf } from './gate-options.ts';

const WIDEST = 80;
const NARROWEST = 30;
/** Confidence below which a detection is shown as uncertain. */
const LOW_CONFIDENCE = 0.7;

type Section = { readonly title: string | null; readonly lines: readonly string[] };

/**
 * Returns a request as a panel of text.
 * @param withOptions False if a question below the panel already lists the options
 */
export function gatePanel(request: GateRequest, width: number, withOptions = true): string {
  const outer = Math.max(NARROWEST, Math.min(WIDEST, width));
  const room = outer - 4;
  const rows = (text: string, indent = '') => wrapped(text, room, indent);
  const rule = '─'.repeat(room);
  const section = ({ title, lines }: Section) => [
    ...(title === null ? [] : rows(`${title}:`)),
    ...lines.flatMap((line) => rows(`• ${line}`, '  ')),
  ];
  const { gate: id } = request;
  const title = GATE_TITLES[id];
  const keys = optionsOf(request);
  const optionRows = ({ key, option, label }: (typeof keys)[number]) =>
    rows(`[${key}] ${capitalized(option)} - ${label}`, '    ');
  const lines = [
    ...rows('HUMAN INTERVENTION REQUIRED'),
    ...rows(`${title}: ${id} (${request.id})`),
    rule,
    ...gateSections(request).flatMap((one, index) => [...(index === 0 ? [] : ['']), ...section(one)]),
    ...(withOptions ? [rule, ...rows('Options:'), ...keys.flatMap(optionRows)] : []),
  ];
  return boxen(lines.join('\n'), {
    width: outer,
    borderStyle: 'round',
    padding: { left: 1, right: 1, top: 0, bottom: 0 },
  });
}

export function gateText(request: GateRequest): string {
  const { gate: id } = request;
  const sections = gateSections(request).flatMap(({ title, lines }) => [
    '',
    ...(title === null ? [] : [`${title}:`]),
    ...lines.map((line) => `- ${line}`),
  ]);
  const options = optionsOf(request).map(
    ({ option, label, needs }) =>
      `- ${decideCommand(request.id)} ${option}${needs === null ? '' : ` --${needs} ${needs.toUpperCase()}`}: ${label}`,
  );
  return [
    'HUMAN INTERVENTION REQUIRED',
    `${GATE_TITLES[id]}: ${id} (${request.id})`,
    ...sections,
    '',
    'Options:',
    ...options,
  ].join('\n');
}

/** Returns what a panel shows, for views that lay it out themselves. */
export function gateSections(request: GateRequest): Section[] {
  const { facts, action, notes, triggers, recoveryLimit } = request;
  const attempts = `Recovery attempts: ${facts.recoveryAttempts} / ${recoveryLimit}`;
  const patterns = patternsOf(request);
  const pattern = patterns.length === 0 ? 'none' : patterns.join(', ');
  const sections: Section[] = [
    {
      title: 'Context',
      lines: [
        `Task: ${facts.taskId} ${facts.title}`,
        ...(action === null ? [`Pattern: ${pattern} (${facts.severity.toUpperCase()})`, attempts] : []),
        `Agent: ${facts.agent}`,
      ],
    },
    { title: 'Why this needs you', lines: triggers.map(({ text }) => text) },
    {
      title: 'Detection details',
      lines: [
        ...(facts.files.length === 0 ? [] : [`File(s): ${facts.files.join(', ')}`]),
        ...(action === null ? [] : [`Action: ${action.shown}`]),
        ...(facts.originalError === null ? [] : [`Original error: ${facts.originalError}`]),
        `Detection time: ${facts.detectedAt}`,
      ],
    },
    { title: 'Recovery history', lines: facts.history },
    { title: 'Current state', lines: stateLines(request) },
    { title: 'Notes', lines: notes },
    {
      title: null,
      lines: facts.recoveryRecord === null ? [] : [`Recovery details: ${facts.recoveryRecord}`],
    },
  ];
  return sections
    .filter(({ lines }) => lines.length > 0)
    .map(({ title, lines }) => ({ title, lines: lines.map(onOneLine) }));
}

const COUNTED: Readonly<Partial<Record<TriggerName, string>>> = {
  tests_removed: 'test_deletion',
  coverage_drop: 'coverage_regression',
  features_removed: 'feature_removal',
  assertions_weakened: 'assertion_weakening',
  skips_added: 'test_skip',
};

/** Returns the kinds of findings for which the gate opened, which may be fewer than were found. */
function patternsOf({ gate, facts, triggers }: GateRequest): readonly string[] {
  const counted = triggers.flatMap((one) => (one.gate === gate ? (COUNTED[one.name] ?? []) : []));
  return counted.length > 0 ? counted : facts.patterns;
}

function stateLines({ facts, diffSha256, deadline, onTimeout, action }: GateRequest): string[] {
  if (action !== null) return deadline === null ? [] : [`Without a decision by ${deadline}: denied`];
  return [
    `Tests: ${testsText(facts)}`,
    `Coverage: ${coverageText(facts)}`,
    `Confidence: ${confidenceText(facts.diagnosisConfidence ?? facts.detectionConfidence)}`,
    ...(diffSha256 === null ? [] : [`Kept change: sha256 ${diffSha256.slice(0, 16)}`]),
    ...(deadline === null ? [] : [`Without a decision by ${deadline}: ${onTimeout}`]),
  ];
}

function testsText({ tests }: GateFacts): string {
  if (tests === null) return 'not known';
  return `${tests.run} run, ${tests.passed} passed, ${tests.failed} failed, ${tests.skipped} skipped`;
}

function coverageText({ coverage }: GateFacts): string {
  if (coverage === null) return 'not known';
  const { before, after } = coverage;
  return after >= before ? `${after} % (maintained)` : `${before} % → ${after} %`;
}

function confidenceText(confidence: number | null): string {
  if (confidence === null) return 'not known';
  return `${confidence.toFixed(2)} (${confidence < LOW_CONFIDENCE ? 'low' : 'high'})`;
}

function wrapped(text: string, room: number, indent: string): string[] {
  const [first = '', ...rest] = wordColumnsOf(text, room);
  if (rest.length === 0) return [first];
  const further = text.slice(first.length).trimStart();
  return [first, ...wordColumnsOf(further, room - indent.length).map((line) => indent + line)];
}

/** Maximum number of characters of an action in a request. */
const ACTION_SHOWN = 2000;

export function actionDetail(
  { command, content, paths }: Pick<Action, 'command' | 'content' | 'paths'>,
  hide: (text: string) => string,
): string {
  const named = paths.map(({ path, change }) => `${change} ${path}`);
  const whole = hide([...(command === null ? [] : [command]), ...named, ...content].join('\n'));
  return whole.length <= ACTION_SHOWN
    ? whole
    : `${whole.slice(0, ACTION_SHOWN)}\n… (${whole.length} characters)`;
}
