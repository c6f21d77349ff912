/**
 * The commands `/config set|reset` of a setting that says who may write or approve.
 * Only people use it (I14), and an approver says yes on a card, as to other changes of rights.
 */
import * as z from 'zod/mini';
import { RIGHT_SETTINGS } from '../signal/channels.ts';
import { defineTool, powerOf } from './tool.ts';

export const changeSetting = defineTool({
  name: 'change-setting',
  sentence: ({ name, value }) => `Set ${name} to ${value || 'what the environment says'}`,
  args: z.strictObject({ name: z.enum(RIGHT_SETTINGS), value: z.string().check(z.regex(/^[-\w,]{0,2000}$/)) }),
  tier: 'ask',
  isAlwaysAsked: true,
  isForPeople: true,
  kind: 'idempotent',
  effects: { changesAuthority: true },
  outputOrigin: 'clean',
  run: async ({ name, value }, { powers, signalId, approvedBy, actor, now }) => ({
    output: await powerOf(powers, 'settings').change(name, value, signalId, approvedBy ?? actor, now),
    origin: 'owner',
  }),
});
