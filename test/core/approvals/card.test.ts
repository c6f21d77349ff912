/**
 * What a person sees is what is there: no field left out, nothing invisible, nothing pushed out of
 * sight.
 */

import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Approval } from '../../../lib/core/approvals/approval.ts';
import { cardFileIn, foldAt } from '../../../lib/core/approvals/card-marks.ts';
import { showPlainly } from '../../../lib/core/approvals/show-plainly.ts';
import { approvalNotices } from '../../../lib/core/judge/approval-notices.ts';
import {
  buildCard,
  buildCardLines,
  buildCardUpdate,
  buildSimilarCard,
  CARD_CHARS_MAX,
  describeAction,
  describeGrant,
} from '../../../lib/core/judge/card.ts';
import { actionHash } from '../../../lib/core/signal/action.ts';
import { TELEGRAM_TEXT_UNITS_MAX } from '../../../lib/features/chats/format.ts';
import { fc } from '../../support/fast-check.ts';
import { notice, reply, toolCall, webhookCall } from '../gates/samples.ts';
import { grantWith } from './samples.ts';

const AT = Date.UTC(2026, 0, 2, 3, 4);

const approvalWith = (changes: Partial<Approval> = {}): Approval => {
  const action = changes.action ?? webhookCall();
  return {
    schemaVersion: 1,
    id: 'ab'.repeat(16),
    space: 'default',
    session: 'telegram:7',
    signalId: 'tg-1-1',
    n: 0,
    action,
    actionHash: actionHash(action),
    policyVersion: 'f'.repeat(64),
    reasons: ['it leaves the space'],
    asks: [{ gate: 'permissions', reason: 'it leaves the space' }],
    requester: 'telegram:7',
    origin: 'owner',
    state: 'pending',
    createdAt: AT,
    expiresAtMs: AT + 3_600_000,
    cardChat: '7',
    ...changes,
  };
};

/** Anything that is not a plain visible character or a single space. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}| {9,}/u;

/** The lines before the fold, and the others. */
const partsOf = (text: string): readonly [readonly string[], readonly string[]] => [
  text.slice(0, foldAt(text)).trimEnd().split('\n'),
  text.slice(foldAt(text)).split('\n'),
];

describe('buildCard', () => {
  it('says in two lines what a yes does and what is unusual, and folds all the rest', () => {
    expect(buildCard(approvalWith({ taintSource: 'webhook shop' }))).toStrictEqual({
      text: [
        'Call the webhook tickets: title “Disk is full”',
        'Made from outside text: webhook shop',
        'Details (waits for your yes until 2026-01-02 04:04 UTC):',
        'With: {"body":{"title":"Disk is full"}}',
        'To: tickets',
        'Address: https://hooks.example.com/tickets',
        'The model says why: The monitoring reported a full disk, which needs a ticket.',
        'Called: call-webhook (webhook)',
        'Asked because: it leaves the space (permissions)',
        'Came from: telegram:7 in telegram:7, tg-1-1',
        'Or: /approve ababab, /deny ababab',
      ].join('\n'),
    });
  });

  it.each([
    ['https://hooks.slack.com/services/T0AB12CD3/XyZ012345678901234abcdef', '/services/T0AB12CD3/Xy…ef'],
    ['https://ntfy.example/a?auth=Zm9vYmFyMTIzNDU2Nzg5&x=1', '/a?auth=Zm…g5&x=1'],
    ['https://a1b2c3d4e5f6a7b8c9.example/deploy/production-servers', '/deploy/production-servers'],
  ])('shows the host of %s, and no secret of its address', (url, shown) => {
    const { text } = buildCard(approvalWith({ action: webhookCall({ url }) }));
    expect(text).toContain(`Address: ${new URL(url).origin}${shown}\n`);
  });

  it.each<[string, Partial<Approval>, readonly string[]]>([
    ['nothing', {}, []],
    ['what its tool says', { notable: ['You would lose: a\nb'] }, ['You would lose: a ⏎ b']],
    [
      'what its tool says, and not again below',
      { notable: ['You would lose: a'], lines: ['You would lose: a', 'Command: rm a'] },
      ['You would lose: a'],
    ],
    [
      'what a gate asks beyond the usual',
      {
        asks: [
          { gate: 'permissions', reason: 'usual' },
          { gate: 'high-impact', reason: 'schedule-job changes who may do what' },
          { gate: 'high-impact', reason: 'forget destroys or replaces data' },
        ],
      },
      ['Asks because forget destroys or replaces data'],
    ],
    [
      'what is asked each time',
      { asks: [{ gate: 'command-class', reason: 'the command leaves the machine' }] },
      ['Asks each time because the command leaves the machine'],
    ],
    [
      'words that may be misread',
      { action: webhookCall({ args: { body: { title: 'pаypal' } } }) },
      ['Look twice: “pаypal”: “а” is a Cyrillic letter'],
    ],
    [
      'invisible characters',
      { action: webhookCall({ explanation: 'a\u200bb' }) },
      ['Look twice: it holds invisible characters, written out below'],
    ],
    ['high costs', { costs: { usd: 250_000, leftUsd: 4_000_000 } }, ['Costs: $0.25; $4.00 is left for today']],
    ['no low costs', { costs: { usd: 100_000, leftUsd: 4_000_000 } }, []],
    [
      'the mark of outside text first, and all else behind it',
      { taintSource: 'webhook shop', notable: ['b'], action: webhookCall({ explanation: 'a\u200bb' }) },
      ['Made from outside text: webhook shop · Look twice: it holds invisible characters, written out below · b'],
    ],
  ])('shows what is unusual in one line before the fold: %s', (_name, changes, unusual) => {
    const [seen, rest] = partsOf(buildCard(approvalWith(changes)).text);
    expect(seen.slice(1)).toStrictEqual(unusual);
    for (const line of unusual) expect(rest).not.toContain(line);
  });

  it('keeps the second line short, and shows below what is cut or left out of it', () => {
    const notable = ['a', 'b', 'c'].map((letter) => `${letter}: ${letter.repeat(400)}`);
    const [seen, rest] = partsOf(buildCard(approvalWith({ taintSource: 'webhook shop', notable })).text);
    expect(seen.slice(1)).toStrictEqual([
      `Made from outside text: webhook shop · a: ${'a'.repeat(296)}… · 2 more below`,
    ]);
    expect(rest.slice(1, 4)).toStrictEqual(notable);
  });

  it.each<[string, Partial<Approval>, string]>([
    ['a call', {}, 'approval-card'],
    [
      'a command that destroys or leaves',
      { asks: [{ gate: 'command-class', reason: 'it leaves' }] },
      'approval-card-once',
    ],
    ['a command of its owner', { action: toolCall({ author: 'owner' }) }, 'approval-card-once'],
    ['a question', { action: toolCall({ tool: 'ask-person' }) }, 'approval-card-question'],
  ])('has the buttons of its kind: %s', (_name, changes, template) => {
    const approval = approvalWith(changes);
    expect(approvalNotices.approvalCard(approval)).toMatchObject({ template, card: approval.id });
    expect(approvalNotices.cardAgain(approval, 1).template).toBe(template);
  });

  it('folds the arguments in the words of their tool and in their very bytes, with nothing hidden', () => {
    const action = toolCall({ tool: 'schedule-job', args: { name: 'tea\u200b' } });
    const { text } = buildCard(approvalWith({ action, lines: ['A new job: tea', 'It asks: a\nWhat: b\u200b'] }));
    expect(partsOf(text)[1].slice(1, 6)).toStrictEqual([
      'A new job: tea',
      'It asks: a ⏎ What: b\\u{200b}',
      'The model says why: The owner asked to keep the date of the dentist.',
      'Called: schedule-job (tool)',
      'Exactly: {"name":"tea\\u{200b}"}',
    ]);
  });

  it.each([
    ['call-webhook', webhookCall({ args: { body: { title: 'x'.repeat(5_000) } } }), 'Call the webhook tickets: title'],
    ['a text', reply({ text: 'x'.repeat(5_000) }), 'Send this text to the Telegram chat 4711:'],
  ])('is the two lines and a file with all of it if it does not fit one message: %s', (_name, action, what) => {
    const approval = approvalWith({ action, taintSource: 'webhook shop' });
    const { text, file = '' } = buildCard(approval);
    const sha256 = createHash('sha256').update(file).digest('hex');
    const sentence = `${what} “${'x'.repeat(160)}…” (5000 characters)`;
    expect(text.split('\n')).toStrictEqual([
      sentence,
      'Made from outside text: webhook shop',
      'Details (waits for your yes until 2026-01-02 04:04 UTC):',
      `All of it is in the file card-ababab.txt, SHA-256 ${sha256}`,
      'Or: /approve ababab, /deny ababab',
    ]);
    expect(cardFileIn(text)).toStrictEqual({ name: 'card-ababab.txt', sha256 });
    const { unusual, rest } = buildCardLines(approval);
    expect(file).toBe([sentence, ...unusual, ...rest, `SHA-256 of the action: ${actionHash(action)}`, ''].join('\n'));
    expect(file).toContain('x'.repeat(5_000));
  });

  it('shows all that just fits, and no more', () => {
    const isWhole = (length: number) =>
      buildCard(approvalWith({ action: reply({ text: 'x'.repeat(length) }) })).file === undefined;
    const lengths = Array.from({ length: CARD_CHARS_MAX }, (_, n) => n + 1);
    const last = lengths.findLastIndex(isWhole);
    expect(lengths.map(isWhole)).toStrictEqual(lengths.map((_, n) => n <= last));
    expect(last).toBeGreaterThan(CARD_CHARS_MAX - 600);
  });

  it('says as much as records of earlier releases know', () => {
    const { asks: _asks, requester: _requester, ...old } = approvalWith({ reasons: ['a\u200b', 'b'] });
    expect(buildCardLines(old).rest.slice(3)).toStrictEqual([
      'The model says why: The monitoring reported a full disk, which needs a ticket.',
      'Called: call-webhook (webhook)',
      'Asked because: a\\u{200b}',
      'Asked because: b',
    ]);
  });

  it('shows each field on one line of its own, whatever is in it', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 200 }),
        fc.string({ unit: 'binary', maxLength: 200 }),
        (a, b) => {
          const action = webhookCall({ args: { [a]: b }, explanation: a, to: b, url: a, text: b });
          const lines = describeAction(action);
          expect(lines).toHaveLength(a.trim() === '' ? 5 : 6);
          for (const line of lines) expect(line).not.toMatch(HIDDEN);
        },
      ),
    );
  });

  it.each([
    ['telegram:7', 'this conversation'],
    ['run:480f5ba4e1b0', 'this run'],
    ['job:tea', 'this job'],
  ])('says of an action in %s that it may pass again in %s', (session, place) => {
    const { text } = buildSimilarCard(approvalWith({ session }), AT);
    expect(text).toContain(`let this very action pass again in ${place}:`);
  });

  it('fits one message with all that is added to it later', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000 }), (length) => {
        const approval = approvalWith({ action: webhookCall({ args: { body: { title: 'x'.repeat(length) } } }) });
        const ended = { ...approval, state: 'spent', decider: `telegram:${'9'.repeat(100)}`, decidedAt: AT } as const;
        for (const { text } of [buildCard(approval), buildCardUpdate(ended, 'refused'), buildSimilarCard(approval, AT)])
          expect(text.length).toBeLessThanOrEqual(TELEGRAM_TEXT_UNITS_MAX);
      }),
    );
  });
});

describe('describeAction', () => {
  it('leaves out what a text has not, and shows all it has', () => {
    expect(describeAction(reply())).toStrictEqual([
      'Text: The backup ran at four this morning.',
      'To: 4711',
      'The model says why: The owner asked when the backup ran.',
      'Called: message (telegram)',
    ]);
    const { text: _text, to: _to, ...bare } = reply();
    expect(describeAction(bare)).toStrictEqual([
      'The model says why: The owner asked when the backup ran.',
      'Called: message (telegram)',
    ]);
  });

  it('names who says why, and says it only where somebody does', () => {
    const { args: _args, ...call } = toolCall({ author: 'owner' });
    expect(describeAction(call)).toStrictEqual([
      'Why: The owner asked to keep the date of the dentist.',
      'Called: remember (tool)',
    ]);
    expect(describeAction(reply({ author: 'code', text: 'a' }))).toStrictEqual([
      'Text: a',
      'To: 4711',
      'Called: message (telegram)',
    ]);
  });

  it('shows a field nobody thought of under its name', () => {
    expect(describeAction(notice({ edits: { message: 5 } }))).toStrictEqual([
      'Text: Stopped. Nothing is done until you send /resume.',
      'To: main',
      'template: "stopped"',
      'edits: {"message":5}',
      'Called: message (console)',
    ]);
  });
});

describe('describeAction', () => {
  it('leaves out the model’s reason if it gave none', () => {
    expect(describeAction({ ...toolCall({}), explanation: ' ' }).join()).not.toContain('The model says why');
  });
});

describe('showPlainly', () => {
  it.each([
    ['an override of direction', 'safe\u202etxt.exe', 'safe\\u{202e}txt.exe'],
    ['a zero-width space', 'pay\u200bpal', 'pay\\u{200b}pal'],
    ['a variation selector', 'a\ufe0fb', 'a\\u{fe0f}b'],
    ['a tag character', 'a\u{e0041}b', 'a\\u{e0041}b'],
    ['a space that is none', 'a\u00a0b\u3000c', 'a\\u{a0}b\\u{3000}c'],
    ['a pattern of no dots', 'a\u2800b', 'a\\u{2800}b'],
    ['a line of its own', 'a\nExpires: never', 'a ⏎ Expires: never'],
    ['a gap', `a${' '.repeat(300)}b`, 'a \\u{20}×300 b'],
    ['the shortest gap', `a${' '.repeat(9)}b${' '.repeat(9)}c`, 'a \\u{20}×9 b \\u{20}×9 c'],
    ['a few spaces', `a${' '.repeat(8)}b`, `a${' '.repeat(8)}b`],
    ['plain words', 'déjà vu, 你好  там', 'déjà vu, 你好  там'],
  ])('writes out %s', (_name, text, expected) => {
    expect(showPlainly(text)).toBe(expected);
  });
});

describe('buildCardUpdate', () => {
  const decided = { decider: 'telegram:7', decidedAt: AT };
  it.each([
    [
      'approved',
      { state: 'approved', ...decided },
      undefined,
      'APPROVED by telegram:7 at 2026-01-02 03:04 UTC. It is being done.',
    ],
    ['done', { state: 'spent', ...decided }, 'done', 'APPROVED by telegram:7 at 2026-01-02 03:04 UTC. Done.'],
    ['failed', { state: 'spent', ...decided }, 'failed', 'APPROVED by telegram:7 at 2026-01-02 03:04 UTC. It failed.'],
    [
      'unknown',
      { state: 'spent', ...decided },
      'unknown',
      'APPROVED by telegram:7 at 2026-01-02 03:04 UTC. Whether it was done is not known.',
    ],
    [
      'stopped',
      { state: 'approved', ...decided },
      'stopped',
      'APPROVED by telegram:7 at 2026-01-02 03:04 UTC. It was stopped before it was done, and will not be done.',
    ],
    [
      'waiting for a machine',
      { state: 'spent', ...decided },
      { waitsFor: 'home' },
      'APPROVED by telegram:7 at 2026-01-02 03:04 UTC. It waits for home.',
    ],
    [
      'a machine that was away',
      { state: 'spent', ...decided },
      { ended: 'failed', because: 'home did not take it until 04:04 UTC' },
      'APPROVED by telegram:7 at 2026-01-02 03:04 UTC. It failed: home did not take it until 04:04 UTC.',
    ],
    ['nothing yet', { state: 'pending' }, undefined, 'Waits for your yes until 2026-01-02 04:04 UTC.'],
    ['denied, who knows when', { state: 'denied' }, undefined, 'DENIED. It was not done.'],
    [
      'refused',
      { state: 'approved', ...decided },
      { ended: 'refused', because: 'the domain is not listed' },
      'APPROVED by telegram:7 at 2026-01-02 03:04 UTC. The rules refused it when it was to be done: the domain is not listed. Nothing was done. /why tg-1-1',
    ],
    [
      'denied',
      { state: 'denied', ...decided },
      undefined,
      'DENIED by telegram:7 at 2026-01-02 03:04 UTC. It was not done.',
    ],
    [
      'out of time',
      { state: 'expired', decidedAt: AT },
      undefined,
      'EXPIRED at 2026-01-02 03:04 UTC: nobody decided in time. It was not done.',
    ],
    [
      'out of date',
      { state: 'expired', decidedAt: AT, endedBecause: 'policy' },
      undefined,
      'EXPIRED at 2026-01-02 03:04 UTC: the rules have changed since it was asked for, or its chat was removed. It was not done.',
    ],
  ] as const)('says what became of it: %s', (_name, changes, ending, last) => {
    const [seen, rest] = partsOf(buildCardUpdate(approvalWith(changes), ending).text);
    expect(seen).toStrictEqual(['Call the webhook tickets: title “Disk is full”', last]);
    expect(rest).toContain('With: {"body":{"title":"Disk is full"}}');
  });
});

/** A grant as a person reads it in a list: all of it, in one line. */
const until = 'until 2026-09-22 14:13 UTC';

describe('describeGrant', () => {
  it('tells what, with which arguments, how often, until when, where and by whom', () => {
    expect(describeGrant(grantWith({ uses: 3 }))).toBe(
      `a1b2c3d4e5f6: Call the webhook tickets: title “Disk is full” · with {"body":{"title":"Disk is full"}} · used 3 of 10 · ${until} · in telegram:7 · by telegram:7`,
    );
  });

  it('tells what is loosened and what outside text it covers', () => {
    const { session: _session, ...anywhere } = grantWith({
      loosened: [
        { path: '/body/ref', kind: 'any' },
        { path: '/body/path', kind: 'prefix', prefix: 'docs/' },
      ],
      taintSource: 'webhook shop',
    });
    expect(describeGrant(anywhere)).toBe(
      `a1b2c3d4e5f6: Call the webhook tickets: title “Disk is full” · with {"body":{"title":"Disk is full"}} · but with any body.ref, body.path starting with docs/ · used 0 of 10 · ${until} · in any conversation · also for outside text: webhook shop · by telegram:7`,
    );
  });

  it('leaves out what a text has not, and hides nothing', () => {
    const { tool: _tool, to: _to, args: _args, ...text } = grantWith({ target: 'console', createdBy: 'a\u200bb' });
    expect(describeGrant(text)).toBe(
      `a1b2c3d4e5f6: Send this text to the console · used 0 of 10 · ${until} · in telegram:7 · by a\\u{200b}b`,
    );
  });
});
