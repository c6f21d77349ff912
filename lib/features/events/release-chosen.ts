/**
 * After the command of a choice about events: nobody is asked about that kind again if its job was
 * made, and the events that waited for the answer come again. The model is also handed the event
 * that the question showed. A repeat changes nothing.
 */
import * as z from 'zod/mini';
import { readJson } from '../../core/base/json.ts';
import { markAnswered, releaseEvents } from '../../core/ledger/event-kinds.ts';
import type { EndedDeps, EndedSignal } from '../../core/operations/hooks.ts';
import { scheduleJob } from '../jobs/tools.ts';

/** The words of the command, as the choice wrote them. */
const Draft = z.object({ event: z.string(), prompt: z.optional(z.string()) });

const draftOf = ({ signal: { payload } }: EndedSignal) =>
  payload.sensor === 'command' ? Draft.safeParse(readJson(payload.rest.replace(/^add /, ''))).data : undefined;

export const releaseChosen = async (
  { table, space, now, publishPerceive: publish }: EndedDeps,
  ended: EndedSignal,
): Promise<void> => {
  const draft = draftOf(ended);
  const { decision, effects } = ended;
  if (draft === undefined || effects.some(({ state }) => state === 'suspended')) return;
  const [source = '', ...named] = draft.event.split('/');
  const [kind] = named.length === 0 ? [] : named.join('/').split(',');
  const isMade = effects.some(
    ({ n, state }) => state === 'done' && decision.actions[n]?.action.tool === scheduleJob.name,
  );
  if (isMade && kind !== undefined) await markAnswered(table, { space, source, event: kind });
  const withAsked = isMade && draft.prompt !== undefined;
  await releaseEvents({ table, publish, now: now() }, { space, source, kind, withAsked });
};
