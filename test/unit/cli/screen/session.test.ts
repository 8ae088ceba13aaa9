import { describe, expect, it } from 'vitest';
import { NOT_SET_UP } from '../../../../src/app/commands/follow-repository.ts';
import {
  aboutTask,
  afterEffect,
  afterKey,
  afterRead,
  type Session,
  withTextAgain,
} from '../../../../src/cli/screen/session.ts';
import { emptyScreen, type View } from '../../../../src/cli/screen/state.ts';
import { screenOf, task, watched } from './given.ts';

const data = watched([task('T-1')], {}, true);
const session: Session = { screen: screenOf(data), isPlain: false, asked: 0 };
const text: View = {
  kind: 'text',
  title: 'logs',
  render: () => 'text',
  top: 5,
  again: { do: 'logs', which: '1' },
  back: { kind: 'home' },
};

describe('a key', () => {
  it('counts as a request, and shows that its command works', () => {
    const after = afterKey(session, 'p', null);
    expect(after.effect).toEqual({ do: 'control', request: 'pause' });
    expect(after.session).toMatchObject({ asked: 1, screen: { message: { tone: 'busy' } } });
  });

  it('turns to plain lines and back, and leaves from there', () => {
    const plain = afterKey(session, 's', null);
    expect(plain.effect).toEqual({ do: 'plain' });
    expect(plain.session.isPlain).toBe(true);
    expect(afterKey(plain.session, 'x', null)).toEqual({ session: plain.session, effect: null });
    expect(afterKey(plain.session, 's', null).session.isPlain).toBe(false);
    expect(afterKey(plain.session, '<ctrl-c>', null).effect).toEqual({ do: 'quit' });
  });

  it('scrolls from where the text is shown, not from where it was asked to be', () => {
    const reading = { ...session, screen: { ...session.screen, view: { ...text, top: 900 } } };
    expect(afterKey(reading, '<up>', 40).session.screen.view).toMatchObject({ top: 39 });
  });
});

describe('a read repository', () => {
  it('that fails leaves what was read before, unless ralph is not set up there any more', () => {
    const failed = afterRead(session, 0, { data: null, problem: 'no git' }).session.screen.repos[0];
    expect(failed?.problem).toBe('no git');
    expect(failed?.data).not.toBeNull();
    const gone = afterRead(session, 0, { data: null, problem: NOT_SET_UP }).session.screen.repos[0];
    expect(gone?.data).toBeNull();
  });

  it('is told in plain lines only while they are shown', () => {
    const read = { data, problem: null };
    const fresh = { ...session, screen: emptyScreen([{ dir: '/app', name: 'app' }]) };
    expect(afterRead(fresh, 0, read).lines).toEqual([]);
    expect(afterRead({ ...fresh, isPlain: true }, 0, read).lines.length).toBeGreaterThan(0);
  });
});

describe('the outcome of an effect', () => {
  const view = { kind: 'view', view: text } as const;
  const message = { kind: 'message', ok: true, text: 'paused' } as const;

  it('is shown as a view only if nothing else was asked for since', () => {
    expect(afterEffect(session, view, 0).view).toBe(text);
    expect(afterEffect({ ...session, asked: 1 }, view, 0)).toBe(session.screen);
    expect(afterEffect({ ...session, asked: 1 }, message, 0).message?.text).toBe('paused');
  });

  it('stays until the state of its task changes', () => {
    const told = { ...session, screen: aboutTask(afterEffect(session, message, 0), 0, 'T-1') };
    const textAfter = (status: string) => {
      const read = watched([task('T-1', { status: status as 'open' })], {}, true);
      return afterRead(told, 0, { data: read, problem: null }).session.screen.message?.text;
    };
    expect(textAfter('open')).toBe('paused');
    expect(textAfter('done')).toBeUndefined();
  });
});

describe('a growing text', () => {
  const screen = { ...session.screen, view: text };
  const longer = { kind: 'view', view: { ...text, title: 'longer', top: 0 } } as const;

  it('stays where you read, or at its end', () => {
    expect(withTextAgain(screen, text, longer, false).view).toMatchObject({ title: 'longer', top: 5 });
    expect(withTextAgain(screen, text, longer, true).view).toMatchObject({ top: Number.MAX_SAFE_INTEGER });
  });

  it('is not shown after you left it', () => {
    expect(withTextAgain(session.screen, text, longer, false)).toBe(session.screen);
  });
});
