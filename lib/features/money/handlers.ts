/** The answers to the verbs of money, from the day's counters and the heads of conversations. */
import { NotFoundError, ProtocolError } from '../../core/base/errors.ts';
import { parseHead } from '../../core/ledger/session.ts';
import { dayOf, jobSession, parseDaySpend, resetsAt, spendKey } from '../../core/money/day-spend.ts';
import { budgetLines } from '../../core/money/describe-spending.ts';
import type { SpendingTexts } from '../../core/money/spending-words.ts';
import { type Handler, look } from '../../core/operations/operation.ts';
import { MAIN_CONSOLE } from '../../core/signal/channels.ts';
import { jobKeys, sessionKey } from '../../core/store/keys.ts';
import { loadNamed } from '../../core/store/load-named.ts';
import type { Table } from '../../core/store/table.ts';
import { budget, cost } from './operations.ts';
import { reportCost } from './report-cost.ts';
import { spendingTexts } from './texts.ts';

/** A name alone is a conversation of the console. */
const sessionOf = (name: string): string => (name.includes(':') ? name : `${MAIN_CONSOLE.target}:${name}`);

/** @throws NotFoundError if there never was such a job or conversation */
const findNamed = async (
  table: Pick<Table, 'load'>,
  space: string,
  period: 'session' | 'job',
  name: string,
  say: SpendingTexts,
): Promise<void> => {
  const isJob = period === 'job';
  const head = sessionKey(space, isJob ? jobSession(name) : name);
  const found = await table.load([head, ...(isJob ? [jobKeys.record(space, name)] : [])]);
  if (found.some((item) => item !== undefined)) return;
  throw new NotFoundError(isJob ? say.noJob(name) : say.noConversation(name));
};

export const MONEY_HANDLERS: readonly Handler[] = [
  look(budget, async ({ table, space, session, caps, now, language }) => {
    const items = await loadNamed(table, { spend: spendKey(space, now), head: sessionKey(space, session) });
    const head = items.head === undefined ? undefined : parseHead(session, items.head).spend;
    const spend = parseDaySpend(items.spend);
    const data = {
      ...{ day: dayOf(now), caps: { ...caps }, committed: spend.usd, left: Math.max(0, caps.day - spend.usd) },
      ...{ tokens: spend.tokens, resetsAt: resetsAt(now) },
    };
    return { data, lines: budgetLines(spend, caps, now, { session, head }, await spendingTexts.in(language)) };
  }),
  look(cost, async ({ table, space, session, now, language }, { period, name = '' }) => {
    const say = await spendingTexts.in(language);
    const isNamed = period === 'session' || period === 'job';
    if (name !== '' && !isNamed) throw new ProtocolError(say.hasNoName(period));
    const of = period === 'session' ? (name === '' ? session : sessionOf(name)) : name;
    if (name !== '' && isNamed && of !== session) await findNamed(table, space, period, of, say);
    const { lines, ...sums } = await reportCost(table, space, now, period, of, say);
    return { data: { period, ...sums }, lines };
  }),
];
