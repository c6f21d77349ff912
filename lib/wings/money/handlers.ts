/** The answers to the verbs of money, from the day's counters and the heads of conversations. */
import { ProtocolError } from '../../base/errors.ts';
import { parseHead } from '../../ledger/session.ts';
import { dayOf, parseDaySpend, resetsAt, spendKey } from '../../money/day-spend.ts';
import { budgetLines } from '../../money/describe-spending.ts';
import { type Handler, look } from '../../operations/operation.ts';
import { sessionKey } from '../../store/keys.ts';
import { loadNamed } from '../../store/load-named.ts';
import { budget, cost } from './operations.ts';
import { reportCost } from './report-cost.ts';

/** A name alone is a conversation of the console. */
const sessionOf = (name: string): string => (name.includes(':') ? name : `console:${name}`);

export const MONEY_HANDLERS: readonly Handler[] = [
  look(budget, async ({ table, space, session, caps, now }) => {
    const items = await loadNamed(table, { spend: spendKey(space, now), head: sessionKey(space, session) });
    const head = items.head === undefined ? undefined : parseHead(session, items.head).spend;
    const spend = parseDaySpend(items.spend);
    const data = {
      ...{ day: dayOf(now), caps: { ...caps }, committed: spend.usd, left: Math.max(0, caps.day - spend.usd) },
      ...{ tokens: spend.tokens, resetsAt: resetsAt(now) },
    };
    return { data, lines: budgetLines(spend, caps, now, { session, head }) };
  }),
  look(cost, async ({ table, space, session, now }, { period, name = '' }) => {
    if (name !== '' && period !== 'session' && period !== 'job')
      throw new ProtocolError(`a ${period} has no name: a job or a conversation has`);
    const of = period === 'session' ? (name === '' ? session : sessionOf(name)) : name;
    const { lines, ...sums } = await reportCost(table, space, now, period, of);
    return { data: { period, ...sums }, lines };
  }),
];
