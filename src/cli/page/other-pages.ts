import { h } from 'preact';
import { counted } from 'ralph-kit/counted';
import { capitalized } from 'ralph-kit/text';
import { NOT_SET_UP, type RepositoryRead } from '../../app/commands/follow-repository.ts';
import type { PageRepository } from '../../app/commands/page/repositories.ts';
import { VERSION } from '../../app/version.ts';
import { printable } from '../../io/ui/index.ts';
import { withLocalTimes } from '../../tell/index.ts';
import type { PageContent } from '../render/page/html.ts';
import {
  blockName,
  clip,
  code,
  commands,
  list,
  more,
  name,
  type Part,
  section,
  sign,
  type Tone,
} from '../render/page/parts.ts';
import { LONGEST_LINE, patchParts } from '../render/page/task-story.ts';
import { rowsOf, runState } from '../screen/tasks.ts';
import { choicesPart } from './form-parts.ts';
import { pathOf } from './live-page.ts';
import type { Offer } from './offers.ts';

const FOOT = `ralph ${VERSION}`;
/** Maximum number of lines of a text on the page; a command prints all of them. */
const MOST_LINES = 20_000;

/** Returns the page that asks for the token, for browsers that came without it. */
export function enterPage(problem: string | null): PageContent {
  return {
    title: 'ralph page',
    head: [
      h('p', { class: 'verdict' }, 'Which token did ralph page print?'),
      problem === null ? null : h('p', { class: 'bad' }, sign('bad'), problem),
    ],
    sections: [
      ...section('token-head', 'Token', [
        h(
          'form',
          { id: 'enter', method: 'post', action: '/enter' },
          h('label', { for: 'token' }, 'The part of its address behind #token=, or the whole address'),
          h('input', { id: 'token', name: 'token', type: 'password', autocomplete: 'off', required: true }),
          h('button', { class: 'main' }, 'Open'),
        ),
        h(
          'p',
          { class: 'small faint' },
          'Each start has a new token. Print the address again: ',
          code('ralph page'),
        ),
      ]),
    ],
    foot: FOOT,
  };
}

type Known = { readonly repository: PageRepository; readonly read: RepositoryRead };

/** Returns the list of repositories: first those that need you, then those with an active run. */
export function homePage(all: readonly Known[]): PageContent {
  const rows = all
    .map(repositoryRow)
    .toSorted((one, other) => one.rank - other.rank || one.name.localeCompare(other.name));
  const needy = rows.filter(({ rank }) => rank === 0).length;
  const text =
    needy === 0
      ? 'Nothing needs you.'
      : `${counted(needy, 'repository', 'repositories')} ${needy === 1 ? 'needs' : 'need'} you.`;
  return {
    title: 'ralph',
    head: h('p', { class: 'verdict' }, sign(needy === 0 ? 'good' : 'wait'), text),
    sections: section('repositories', 'Repositories', [
      h('ul', { class: 'repos' }, ...rows.map(({ part }) => part)),
      h(
        'p',
        { class: 'small faint' },
        'Those with a run in the last 30 days. Add another: ',
        code('ralph page FOLDER'),
      ),
    ]),
    foot: FOOT,
  };
}

function repositoryRow({ repository, read }: Known) {
  const { data, problem } = read;
  const you = data === null ? 0 : rowsOf({ data }).filter(({ group }) => group === 'you').length;
  const isRunning = data !== null && data.status.running !== null;
  const rank = you > 0 ? 0 : isRunning ? 1 : problem !== null && problem !== NOT_SET_UP ? 2 : 3;
  const tone: Tone = you > 0 ? 'wait' : isRunning ? 'part' : problem === null ? 'none' : 'bad';
  const state =
    data !== null
      ? `${data.status.counts} ${capitalized(runState(data))}.`
      : problem === NOT_SET_UP
        ? 'ralph isn’t set up here: ralph init'
        : (problem ?? 'Reading …');
  const part = h(
    'li',
    { 'data-key': blockName('repo', repository.dir) },
    h(
      'a',
      { href: pathOf(repository) },
      h('strong', null, sign(tone), name(printable(repository).name)),
      h('span', null, printable({ state }).state),
      h('span', { class: 'small faint' }, name(printable({ path: repository.dir }).path)),
    ),
  );
  return { rank, name: repository.name, part };
}

/** Shows why a repository can't be shown. */
export function problemPage(repository: PageRepository, problem: string | null): PageContent {
  const text = problem === NOT_SET_UP ? "ralph isn't set up here." : (problem ?? 'Reading …');
  return {
    title: clip(printable(repository).name, 80),
    head: [
      h('p', { class: 'verdict' }, sign('bad'), printable({ text }).text),
      problem === NOT_SET_UP ? commands(['ralph init']) : null,
      h('p', null, h('a', { href: '/' }, 'All repositories')),
    ],
    sections: [],
    foot: FOOT,
  };
}

type Text = {
  readonly repository: PageRepository;
  readonly title: string;
  readonly text: string;
  readonly isPatch: boolean;
  /** Command that prints the whole text. */
  readonly command: string;
};

/** Returns a page with the output of a command. */
export function textPage({ repository, title, text, isPatch, command }: Text): PageContent {
  const lines = text.trimEnd().split('\n');
  const shown = lines.slice(0, MOST_LINES).map((line) => (isPatch ? clip(line, LONGEST_LINE) : line));
  return {
    title: clip(title, 80),
    head: back(repository),
    sections: section('text', 'Output', [
      commands([command]),
      h('pre', null, ...(isPatch ? patchParts(shown) : [shown.join('\n')])),
      more(lines.length - shown.length, 'more line', command),
    ]),
    foot: FOOT,
  };
}

type Choice = {
  readonly repository: PageRepository;
  readonly title: string;
  /** Reason why the request or incident is open. */
  readonly about: Part;
  readonly offers: readonly Offer[];
  /** Labels and paths of options that only show something. */
  readonly shows: readonly { readonly label: string; readonly path: string }[];
  /** Commands that sign a decision; `null`: no signature is needed. */
  readonly signing: readonly string[] | null;
};

/** Returns the content of a request's panel. */
export function sectionsPart(
  sections: readonly { readonly title: string | null; readonly lines: readonly string[] }[],
): Part {
  const now = new Date();
  return printable(sections).map(({ title, lines }) => [
    title === null ? null : h('h3', { class: 'block' }, title),
    list(lines.map((line) => withLocalTimes(line, now))),
  ]);
}

/** Returns a text line by line. */
export function textPart(text: string): Part {
  return h('pre', null, text);
}

/** Returns the report of a repository with a link to its active run. */
export function servedReport(repository: PageRepository, content: PageContent): PageContent {
  const way = h('p', { class: 'small' }, h('a', { href: pathOf(repository) }, '← What runs and waits now'));
  return { ...content, head: [way, content.head] };
}

/** Returns the page of a request or incident with the possible decisions. */
export function choicePage({ repository, title, about, offers, shows, signing }: Choice): PageContent {
  return {
    title: clip(title, 80),
    head: back(repository),
    sections: [
      ...section('about', 'What it is about', [
        about,
        shows.length === 0
          ? null
          : h(
              'p',
              { class: 'acts' },
              ...shows.map(({ label, path }) => h('a', { class: 'button', href: path }, label)),
            ),
      ]),
      ...section('decide', 'Decide', [
        signing === null
          ? choicesPart(offers, pathOf(repository, 'do'))
          : [h('p', null, 'It needs your signature, which one of these commands makes:'), commands(signing)],
      ]),
    ],
    foot: FOOT,
  };
}

function back(repository: PageRepository): Part {
  return h('p', null, h('a', { href: pathOf(repository) }, '← ', name(printable(repository).name)));
}
