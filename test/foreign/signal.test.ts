/** Events of signal-cli, files of `signal/`, played through the parser. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { defined } from '../../lib/core/base/defined.ts';
import { Signal } from '../../lib/core/signal/signal.ts';
import { groupName } from '../../lib/features/signal/channel.ts';
import { parseSignalEvent } from '../../lib/features/signal/parse-event.ts';
import { ACCOUNT } from '../support/signal-server.ts';
import { readCases } from './read-cases.ts';

const JsonMap = z.record(z.string(), z.unknown());
const OWNER = '11111111-1111-4111-8111-111111111111';
const GROUP = groupName('Pmpi+EfPWmsxiomLe9Nx2XF9HOE483p6iKiFj65iMwI=');
const Case = z.strictObject({
  by: z.string(),
  person: z.string().default(OWNER),
  /** Fields of a message in the owner's private chat, or a whole envelope. */
  message: JsonMap.optional(),
  envelope: JsonMap.optional(),
  expect: z.strictObject({
    pieces: z.array(JsonMap).optional(),
    includes: z.array(JsonMap).optional(),
    ignored: z.string().optional(),
    reaction: JsonMap.optional(),
    signal: z.string().optional(),
  }),
});

const CONFIG = {
  space: 'default',
  allowedChats: new Set([OWNER, GROUP]),
  pairedChats: new Set<string>(),
  approvers: new Set<string>(),
  now: 9,
};

describe('an event of signal-cli', () => {
  it.each(readCases('signal', Case))('$name', ({ person, message, envelope, expect: expected }) => {
    const usual = { sourceUuid: person, sourceName: 'Ada', dataMessage: { timestamp: 5, ...message } };
    const intake = parseSignalEvent({ account: ACCOUNT, envelope: envelope ?? usual }, CONFIG);
    if (expected.ignored !== undefined) {
      const reaction = expected.reaction && { emoji: undefined, chat: `signal:${OWNER}`, ...expected.reaction };
      return expect(intake).toMatchObject({ kind: 'ignored', reason: expected.ignored, ...defined({ reaction }) });
    }
    if (intake.kind !== 'signal') throw new Error(JSON.stringify(intake));
    const { payload } = Signal.parse(intake.signal);
    const pieces = payload.sensor === 'chat-message' ? payload.text : [];
    if (expected.signal !== undefined) expect(payload.sensor).toBe(expected.signal);
    if (expected.pieces !== undefined) expect(pieces).toStrictEqual(expected.pieces);
    if (expected.includes !== undefined) expect(pieces).toEqual(expect.arrayContaining(expected.includes));
    return expect(intake.signal.sender.isApprover).toBe(person === OWNER);
  });
});
