/** Tells the time of the effect's clock, in the owner's zone and in UTC. */
import * as z from 'zod/mini';
import { ProtocolError } from '../base/errors.ts';
import { defineTool } from './tool.ts';

const formatterOf = (zone: string): Intl.DateTimeFormat => {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: zone, dateStyle: 'full', timeStyle: 'long' });
  } catch (error) {
    throw new ProtocolError('the time zone that is configured is not known', { cause: error });
  }
};

export const currentTime = defineTool({
  name: 'current-time',
  description: 'Tell the current date and time.',
  sentence: () => 'Look at the clock',
  args: z.strictObject({}),
  tier: 'allow',
  kind: 'read',
  outputOrigin: 'clean',
  run: async (_args, { now, zone }) => ({
    output: `${formatterOf(zone).format(now)} (${zone}); ${new Date(now).toISOString()} in UTC`,
    origin: 'agent',
  }),
});
