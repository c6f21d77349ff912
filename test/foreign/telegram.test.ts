/** Updates of the Bot API, files of `telegram/`, played through the parser. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { defined } from '../../lib/core/base/defined.ts';
import { Signal } from '../../lib/core/signal/signal.ts';
import { parseTelegramUpdate } from '../../lib/features/telegram/parse-update.ts';
import { buildAnswer } from '../../lib/features/telegram/receive.ts';
import { readCases } from './read-cases.ts';

const JsonMap = z.record(z.string(), z.unknown());
const Case = z.strictObject({
  by: z.string(),
  /** Fields of a message that the owner sends in his private chat. */
  message: JsonMap.optional(),
  isEdit: z.boolean().optional(),
  /** A whole update, but for its id. */
  update: JsonMap.optional(),
  expect: z.strictObject({
    /** All pieces of text, with whose words they are; or some of them. */
    pieces: z.array(JsonMap).optional(),
    includes: z.array(JsonMap).optional(),
    ignored: z.string().optional(),
    reaction: JsonMap.optional(),
    /** The kind of a signal that is no message. */
    signal: z.string().optional(),
    /** Telegram is told nothing, not even that an answer is being written. */
    isSilent: z.boolean().optional(),
  }),
});

const OWNER = 7;
const CONFIG = {
  botId: '42',
  botUsername: 'our_bot',
  space: 'default',
  allowedChats: new Set([String(OWNER)]),
  pairedChats: new Set<string>(),
  approvers: new Set<string>(),
  now: 1,
};

describe('an update of Telegram', () => {
  it.each(readCases('telegram', Case))('$name', ({ message, isEdit, update, expect: expected }) => {
    const chat = { id: OWNER, type: 'private' };
    const from = { id: OWNER, is_bot: false, first_name: 'O' };
    const whole = { message_id: 9, date: 1, chat, from, ...message };
    const given = { update_id: 1, ...(update ?? (isEdit ? { edited_message: whole } : { message: whole })) };
    const intake = parseTelegramUpdate(given, CONFIG);
    if (expected.ignored !== undefined) {
      const reaction = expected.reaction && { emoji: undefined, chat: String(OWNER), ...expected.reaction };
      return expect(intake).toMatchObject({ kind: 'ignored', reason: expected.ignored, ...defined({ reaction }) });
    }
    if (intake.kind !== 'signal') throw new Error(JSON.stringify(intake));
    const { payload } = Signal.parse(intake.signal);
    const pieces = payload.sensor === 'chat-message' ? payload.text : [];
    if (expected.signal !== undefined) expect(payload.sensor).toBe(expected.signal);
    if (expected.pieces !== undefined) expect(pieces).toStrictEqual(expected.pieces);
    if (expected.includes !== undefined) expect(pieces).toEqual(expect.arrayContaining(expected.includes));
    return expect(buildAnswer(given, intake) === undefined).toBe(expected.isSilent === true);
  });
});
