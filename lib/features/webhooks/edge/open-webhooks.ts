/** Opens the door of the webhooks, once for the life of a process. */
import { buildCountUnproven } from '../../../core/http/count-unproven.ts';
import type { OpenEventDoor } from '../../../core/operations/event-door.ts';
import { buildNoteUnproven } from '../unproven-requests.ts';
import { buildFetchText } from './fetch-text.ts';
import { answerWebhook } from './webhook-http.ts';

export const openWebhooks: OpenEventDoor = (deps) => {
  const own = {
    noteUnproven: buildNoteUnproven(deps.table, deps.space),
    countUnproven: buildCountUnproven(),
    fetchText: buildFetchText(),
  };
  return (event) => answerWebhook({ ...deps, ...own }, event);
};
