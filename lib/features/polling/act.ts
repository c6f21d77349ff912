/** The part of polling in Act, which alone holds the tokens of MCP servers. */
import type { ActFeature } from '../../core/operations/act-feature.ts';
import { reachOf } from '../mcp/act.ts';
import { readServerEvents } from './poll.ts';

export const actPolling: ActFeature = {
  buildKeyPowers: (context) => {
    const { table, space, env, publishPerceive: publish } = context;
    const { HOME_CHAT: homeChat, DEFAULT_ACTUATOR: defaultActuator, EVENT_FORMS: eventForms } = env;
    const deps = { table, publish, space, settings: { homeChat, defaultActuator, eventForms }, ...reachOf(context) };
    return { mcpEvents: { read: (...asked) => readServerEvents(deps, ...asked) } };
  },
};
