/** The same fact from outside always becomes the same id; different facts never share one. */
import { describe, expect, it } from 'vitest';
import {
  chainOf,
  childId,
  consoleSignalId,
  deduplicationId,
  doubtedBy,
  doubtSuffix,
  isSummaryId,
  messageGroupId,
  rootOf,
  summarySignalId,
  telegramSignalId,
  webhookSignalId,
} from '../../../lib/core/signal/ids.ts';
import { Signal } from '../../../lib/core/signal/signal.ts';

const HOSTILE = ['', ' ', 'a b', 'a/b', '../x', 'a\nb', 'ä', '#', 'x'.repeat(49), '\u202e'];

describe('ids of signals from outside', () => {
  it.each([
    [telegramSignalId('7', 42), 'tg-7-42'],
    [webhookSignalId('github', 'msg_1'), 'wh-github:msg_1'],
    [consoleSignalId('key-1'), 'con-key-1'],
  ])('%s keeps short and plain parts', (id, expected) => {
    expect(id).toBe(expected);
  });

  it('hash every other part, so that an id is always one a signal may have', () => {
    const ids = HOSTILE.flatMap((text) => [
      telegramSignalId(text, 1),
      webhookSignalId('source', text),
      webhookSignalId(text, 'id'),
      consoleSignalId(text),
    ]);
    expect(ids.filter((id) => !Signal.shape.id.safeParse(id).success)).toStrictEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('keep source and id of a webhook apart', () => {
    expect(webhookSignalId('a', 'b-c')).not.toBe(webhookSignalId('a-b', 'c'));
  });
});

describe('summarySignalId', () => {
  it('is the same for one turn and try, and another one for any other', () => {
    const id = summarySignalId('telegram:7', 'tg-7-1');
    expect(summarySignalId('telegram:7', 'tg-7-1', 0)).toBe(id);
    const others = [
      summarySignalId('telegram:7', 'tg-7-2'),
      summarySignalId('telegram:8', 'tg-7-1'),
      summarySignalId('telegram:7', 'tg-7-1', 1),
    ];
    expect(new Set([id, ...others]).size).toBe(4);
    expect([id, ...others].every(isSummaryId)).toBe(true);
    expect(isSummaryId('tg-7-1')).toBe(false);
  });
});

describe('children', () => {
  it.each([
    ['a', ['a'], 'a'],
    ['a/1', ['a', 'a/1'], 'a'],
    ['a/1/card-0', ['a', 'a/1', 'a/1/card-0'], 'a'],
  ])('%s tells its chain and its root', (id, chain, root) => {
    expect(chainOf(id)).toStrictEqual(chain);
    expect(rootOf(id)).toBe(root);
  });

  it('are named after their parent', () => {
    expect(childId('a/1', 2)).toBe('a/1/2');
    expect(childId('a', 'card-0')).toBe('a/card-0');
  });

  it('can be read again, however deep notices about notices go', () => {
    const deepest = Array.from({ length: 11 }).reduce<string>((id) => childId(id, 'd1'), 'job-pulls-202611240900');
    const suffixes = ['broken', 'voice-0', doubtSuffix(0, 1), 'back-0', doubtSuffix(0, 1), doubtSuffix(0, 2)];
    const ids: string[] = [];
    for (let n = 0; n < 40; n += 1) ids.push(childId(ids.at(-1) ?? deepest, suffixes[n % suffixes.length] ?? ''));
    expect(ids.filter((id) => !Signal.shape.id.safeParse(id).success)).toStrictEqual([]);
    expect(ids.map(rootOf)).toStrictEqual(ids.map(() => rootOf(deepest)));
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('doubtedBy', () => {
  it('reads the ids that doubtSuffix ends, and no others', () => {
    expect(doubtedBy(childId('tg-7-1/2', doubtSuffix(3, 4)))).toStrictEqual({ signalId: 'tg-7-1/2', n: 3, tries: 4 });
    const others = ['tg-7-1', 'tg-7-1/2', 'tg-7-1/again-3', 'tg-7-1/again-3-x', '/again-3-4', 'a b/again-3-4'];
    expect(others.map(doubtedBy)).toStrictEqual(others.map(() => undefined));
  });
});

describe('ids of the queue', () => {
  it('never let two steps of one signal, or one step of two signals, swallow each other', () => {
    const ids = [
      deduplicationId('a', 'reason:0'),
      deduplicationId('a', 'reason:1'),
      deduplicationId('a/1', 'reason:0'),
      deduplicationId('a', 'act:0'),
    ];
    expect(new Set(ids).size).toBe(4);
    expect(deduplicationId('a', 'reason:0')).toBe(ids[0]);
    expect(ids.every((id) => /^[0-9a-f]{64}$/.test(id))).toBe(true);
  });

  it('group by conversation and space, within what SQS allows', () => {
    expect(messageGroupId('main', 'telegram:7')).toBe('main/telegram:7');
    expect(messageGroupId('s'.repeat(32), `telegram:${'7'.repeat(60)}`).length).toBeLessThanOrEqual(128);
  });
});
