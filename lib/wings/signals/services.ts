/** What other services sent lately, and what of it was refused: the answer to `/services`. */
import { localTime } from '../../jobs/describe-rule.ts';
import { loadUnproven, NO_SUCH_NAME } from '../../ledger/unproven-requests.ts';
import type { LookContext } from '../../operations/operation.ts';
import { countWords } from '../../text/quoted.ts';
import { loadNewest } from './findings.ts';

const MENDS = 'compare its secret and its scheme (infra/webhooks.md)';
const MENDS_NAME = 'compare the end of its address with the names in WEBHOOK_SECRETS (infra/webhooks.md)';
const NONE = 'No service has sent an event lately. One is connected by: npx passepartout setup --only sender';

export const describeServices = async ({ table, space, zone, now }: LookContext) => {
  const [newest, unproven] = await Promise.all([loadNewest({ table, space }), loadUnproven(table, space, now)]);
  const events = newest.flatMap(({ signal: { payload, receivedAt, id } }) =>
    payload.sensor === 'webhook' ? [{ name: payload.source, event: payload.event, at: receivedAt, id }] : [],
  );
  const names = [...new Set([...events.map(({ name }) => name), ...unproven.keys()])].sort();
  const services = names.map((name) => {
    const last = events.find((event) => event.name === name);
    const refused = unproven.get(name);
    return {
      name,
      ...(last === undefined ? {} : { event: last.event, at: last.at, id: last.id }),
      ...(refused === undefined ? {} : { refused: refused.count, because: refused.reason }),
    };
  });
  const lines = services.flatMap(({ name, event, at, id, refused, because }) => [
    ...(at === undefined ? [] : [`${name}: ${event}, ${localTime(at, zone)} (/why ${id})`]),
    ...(refused === undefined
      ? []
      : [
          `${name}: ${countWords(refused, 'request')} refused today, the last because ${because}: ${name === NO_SUCH_NAME ? MENDS_NAME : MENDS}`,
        ]),
  ]);
  return { data: { services }, lines: lines.length === 0 ? [NONE] : lines };
};
