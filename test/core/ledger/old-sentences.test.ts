/** Codes of records: those that are stored, and those of records from before, by their words. */
import { describe, expect, it } from 'vitest';
import * as old from '../../../lib/core/ledger/old-sentences.ts';
import { Because } from '../../../lib/core/signal/because.ts';
import type { Effect } from '../../../lib/core/signal/decision.ts';
import { sampleEffect } from '../stages/act/sample-task.ts';

const ID = '0123456789abcdef0123456789abcdef';
const done = (output: string, outputOrigin: Effect['outputOrigin'] = 'agent') =>
  sampleEffect({ state: 'done', output, outputOrigin });
const failed = (reason: string) => sampleEffect({ state: 'failed', reason });

describe('codeOfEffect', () => {
  it.each<[Effect, Because | undefined]>([
    [sampleEffect({ state: 'done', output: 'x', because: { code: 'kept-back' } }), { code: 'kept-back' }],
    [done('Kept back until 2026-01-02 07:00: the chat is muted (/chats).'), { code: 'kept-back' }],
    [done('In the digest of ci: /news ci shows it whole.'), { code: 'in-digest' }],
    [done(`Summarised as ${ID}.`), { code: 'summarised', id: ID }],
    [done('Kept back until tomorrow, says a stranger', 'outside'), undefined],
    [done('Sent.'), undefined],
    [failed('the person blocked the bot or left; 1 of 2 messages were sent before'), { code: 'bot-blocked' }],
    [failed('Telegram did not give the file (500); send it again later (5 tries)'), { code: 'later' }],
    [sampleEffect({ reason: 'Telegram refuses the token in TELEGRAM_BOT_TOKEN' }), { code: 'token-refused' }],
    [sampleEffect({ state: 'refused', reason: 'stopped before it was performed' }), { code: 'stopped' }],
    [sampleEffect({ state: 'refused', reason: 'a person denied it' }), { code: 'denied' }],
    [sampleEffect({ state: 'refused', reason: 'nobody approved it in time' }), undefined],
  ])('of %j', (effect, because) => {
    expect(old.codeOfEffect(effect)).toStrictEqual(because);
  });
});

describe('marks of an approval', () => {
  it.each([
    [['forget destroys or replaces data'], undefined, true],
    [['schedule-job changes who may do what'], undefined, false],
    [['forget destroys or replaces data'], false, false],
    [['it leaves the machine'], true, true],
  ])('of %j, stored as %s', (reasons, destroys, is) => {
    expect(old.isDestroying({ reasons, destroys })).toBe(is);
  });

  it.each([
    ['schedule-job changes who may do what', undefined, true],
    ['schedule-job changes who may do what; the models do not agree', undefined, false],
    ['schedule-job changes who may do what', false, false],
  ])('of the question %j, stored as %s', (reason, changesRights, is) => {
    expect(old.saysRights({ reason, changesRights })).toBe(is);
  });
});

describe('codes that are stored', () => {
  it('may be of a later release', () => {
    expect(Because.parse({ code: 'told-twice', more: 1 })).toStrictEqual({ code: 'told-twice' });
    expect(Because.safeParse({ code: 'Told twice.' }).success).toBe(false);
    expect(Because.safeParse({ code: 'summarised', id: '../x' }).success).toBe(false);
  });
});
