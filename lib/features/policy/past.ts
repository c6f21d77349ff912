/**
 * The past that a policy may ask about, as `context.past`. Act counts each action in four small
 * rows, in the transaction that claims it, on condition that they are as they were judged: of two
 * actions in flight the second is judged again. Rows are kept and read only while a policy names
 * `context.past`. Loaded with the policy engine.
 */
import * as z from 'zod/mini';
import { hashOf } from '../../core/base/canonical.ts';
import { ContendedError } from '../../core/base/errors.ts';
import { asText } from '../../core/base/json.ts';
import { CONFLICT_TRIES_MAX, DAY_MS, HOUR_MS } from '../../core/base/limits.ts';
import { NO_TARGETS, type Targets } from '../../core/judge/declared.ts';
import type { Begun, Counts, JudgedMoment, Past, ReadPast, Vouched } from '../../core/judge/space-policy.ts';
import { type Action, actionHash, isText, withOneName } from '../../core/signal/action.ts';
import { chainOf, partsOfOrderId } from '../../core/signal/ids.ts';
import { isMcpTool } from '../../core/signal/mcp-name.ts';
import { absent, equals } from '../../core/store/condition.ts';
import { type Key, signalKeys } from '../../core/store/keys.ts';
import { parseStored } from '../../core/store/parse-stored.ts';
import type { Item, Table, Write } from '../../core/store/table.ts';
import { wasWritten } from '../../core/store/update-if.ts';
import { findTool } from '../../core/tools/catalogue.ts';
import { NEVER_MINUTES } from './policy-domain.ts';
import { AMOUNT_MAX, vouchedOf } from './vouched.ts';

/** Of one row and day. A count of so many means: so many or more. */
const RECENT_MAX = 200;
/** Newest actions of a row that are looked at for one that has not ended. */
const FLIGHTS_MAX = 10;

const BegunForm = z.object({
  at: z.int(),
  id: z.string(),
  isApproved: z.optional(z.literal(true)),
  session: z.optional(z.string()),
  to: z.optional(z.string()),
  amount: z.optional(z.int()),
});
const Row = z.object({
  round: z.int(),
  /** Actions ever. */
  count: z.int(),
  recent: asText(z.array(BegunForm)),
  /** Actions that a person said no to. */
  denied: z.optional(asText(z.array(BegunForm))),
});
type Row = z.infer<typeof Row>;
const NO_ROW: Row = { round: 0, count: 0, recent: [] };

/** The target, its address, and the recipient that it declares. */
const recipientHash = ({ target, to = '' }: Action, { recipient = '', url }: Vouched): string =>
  hashOf('action', { target, to, url, recipient }).slice(0, 32);

/** The rows that an action is counted in: those of one name count together. */
export const namesOf = (action: Action, vouched: Vouched) => ({
  tool: `tool#${isText(action) ? action.target : action.tool}`,
  to: `to#${recipientHash(action, vouched)}`,
  same: `same#${actionHash({ ...withOneName(action), explanation: '' }).slice(0, 32)}`,
});
type Rows = Readonly<Record<keyof ReturnType<typeof namesOf>, Row>>;

const rootOf = (signalId: string): string => chainOf(signalId)[0] ?? signalId;

const minutesBetween = (at: number | undefined, now: number): number =>
  at === undefined ? NEVER_MINUTES : Math.min(Math.max(0, Math.floor((now - at) / 60_000)), NEVER_MINUTES);

const countsOf = (
  { recent, denied = [] }: Row,
  isOpen: (id: string) => boolean,
  { now, session, before }: JudgedMoment,
): Counts => {
  const ofDay = recent.filter(({ at }) => at > now - DAY_MS);
  const approved = ofDay.filter(({ isApproved }) => isApproved === true);
  const isOfTurn = ({ id }: Begun) =>
    before !== undefined && rootOf(partsOfOrderId(id).signalId) === rootOf(before.signalId);
  const sum = ofDay.reduce((total, { amount = 0 }) => total + amount, 0);
  return {
    hour: ofDay.filter(({ at }) => at > now - HOUR_MS).length,
    day: ofDay.length,
    minutesSince: minutesBetween(recent.at(-1)?.at, now),
    inFlight: ofDay.slice(-FLIGHTS_MAX).filter(({ id }) => isOpen(id)).length,
    denied: denied.filter(({ at }) => at > now - DAY_MS).length,
    approved: approved.length,
    approvedTurn: approved.filter(isOfTurn).length,
    approvedHere: approved.filter((one) => one.session === session).length,
    // Of more actions than a row holds, nobody knows the sum.
    amount: sum > 0 && ofDay.length >= RECENT_MAX ? AMOUNT_MAX : Math.min(sum, AMOUNT_MAX),
  };
};

const hourIn = (now: number, timeZone: string | undefined): number =>
  Number(new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hourCycle: 'h23', timeZone }).format(now));

interface KnownPast {
  /** The place that the tool's newest call went to, if it failed. */
  readonly failedTo: string;
  readonly outsideAt: number | undefined;
  readonly isOpen?: (id: string) => boolean;
}

const pastOf = ({ tool, to, same }: Rows, moment: JudgedMoment, known: KnownPast): Past => {
  const { failedTo, outsideAt, isOpen = () => false } = known;
  const count = (row: Row): Counts => countsOf(row, isOpen, moment);
  return {
    tool: { ...count(tool), failedTo },
    to: { ...count(to), isFirst: to.count === 0 },
    same: { ...count(same), ever: same.count },
    minutesSinceOutside: minutesBetween(moment.origin === 'outside' ? moment.now : outsideAt, moment.now),
    localHour: hourIn(moment.now, moment.zone ?? 'UTC'),
  };
};

/** The row with one action more. A repeat of the same one counts once. Pure. */
const withBegun = (row: Row, begun: Begun): Row => ({
  ...row,
  round: row.round + 1,
  count: row.count + (row.recent.some(({ id }) => id === begun.id) ? 0 : 1),
  recent: withOne(row.recent, begun),
});

/** The list with one more, without those that are older than a day before it. */
const withOne = (list: readonly Begun[], one: Begun): Begun[] =>
  [...list.filter(({ id, at }) => id !== one.id && at > one.at - DAY_MS), one].slice(-RECENT_MAX);

const pastKey = (space: string, sk: string): Key => ({ pk: `past#${space}`, sk });

/** @param round of the row that the change was made from */
const writeOf = (key: Key, { recent, denied, ...counted }: Row, round: number): Write => {
  const lists = { recent: JSON.stringify(recent), ...(denied && { denied: JSON.stringify(denied) }) };
  return {
    kind: 'update',
    key,
    change: { set: { schemaVersion: 1, ...counted, ...lists } },
    condition: { name: 'the past is as judged', holds: round === 0 ? absent('round') : equals('round', round) },
  };
};

/** Whether its answer is outside text. */
export const bringsOutside = ({ tool }: Action): boolean =>
  isMcpTool(tool) || findTool(tool ?? '')?.outputOrigin === 'outside';

const parseRow = (item: Item | undefined): Row => (item === undefined ? NO_ROW : parseStored(item, Row));

const FAILED: readonly unknown[] = ['failed', 'refused', 'unknown'];

const loadRows = async (table: Pick<Table, 'load'>, action: Action, vouched: Vouched, space: string) => {
  const names = namesOf(action, vouched);
  const keys = [names.tool, names.to, names.same, 'outside'].map((name) => pastKey(space, name));
  const [tool, to, same, outside] = await table.load(keys, { isConsistent: true });
  const rows: Rows = { tool: parseRow(tool), to: parseRow(to), same: parseRow(same) };
  return { rows, outside, keyOf: (name: keyof Rows): Key => pastKey(space, names[name]) };
};

const KINDS = ['tool', 'to', 'same'] as const satisfies readonly (keyof Rows)[];

/** An earlier try of the same action is none before it. */
const without = (row: Row, own: string): Row => {
  const recent = row.recent.filter(({ id }) => id !== own);
  return { ...row, recent, count: row.count - (row.recent.length - recent.length) };
};

const isOpenEffect = (effect: Item | undefined): boolean =>
  effect?.state === 'claimed' || (effect?.state === 'suspended' && effect.handedTo !== undefined);

/** At most two requests. @throws StoredItemError: then nothing may be judged */
const readPastWith =
  (flights: number): ReadPast =>
  async (table, action, moment) => {
    const { space, session, before } = moment;
    const vouched = vouchedOf(action, moment.targets);
    const { rows, outside, keyOf } = await loadRows(table, action, vouched, space);
    const own = `${before?.signalId}#${before?.n}`;
    const [tool, to, same] = KINDS.map((name) => without(rows[name], own)) as [Row, Row, Row];
    const last = tool.recent.at(-1)?.id;
    const looked = [tool, to, same]
      .flatMap(({ recent }) => recent.slice(-flights || recent.length))
      .map(({ id }) => id);
    const ids = [...new Set([...(last === undefined ? [] : [last]), ...looked])];
    const keys = ids.map(partsOfOrderId).map((parts) => signalKeys.effect(space, parts.signalId, parts.n));
    const effects = new Map((await table.load(keys, { isConsistent: true })).map((effect, at) => [ids[at], effect]));
    const failedTo = FAILED.includes(effects.get(last)?.state) ? (tool.recent.at(-1)?.to ?? '') : '';
    return {
      past: pastOf({ tool, to, same }, moment, {
        failedTo,
        outsideAt: typeof outside?.at === 'number' ? outside.at : undefined,
        isOpen: (id) => flights > 0 && isOpenEffect(effects.get(id)),
      }),
      count: (begun) => {
        const { amount = 0 } = vouched;
        const one = { ...begun, ...(begun.isApproved && { session }), ...(amount > 0 && { amount }) };
        return [
          ...KINDS.map((name) => writeOf(keyOf(name), withBegun(rows[name], one), rows[name].round)),
          ...(bringsOutside(action)
            ? [{ kind: 'update', key: pastKey(space, 'outside'), change: { set: { at: begun.at } } } as const]
            : []),
        ];
      },
    };
  };

/** @returns the reader for a policy's text: it looks for unended actions only if the text asks */
export const readPastFor = (text: string): ReadPast => readPastWith(text.includes('inFlight') ? FLIGHTS_MAX : 0);

/** Counts a person's no. Whatever is judged meanwhile is judged again. */
export const countDenied = async (
  table: Pick<Table, 'load' | 'transact'>,
  space: string,
  action: Action,
  targets: Targets,
  denied: Begun,
): Promise<void> => {
  for (let tries = 0; tries < CONFLICT_TRIES_MAX; tries += 1) {
    const { rows, keyOf } = await loadRows(table, action, vouchedOf(action, targets), space);
    const writes = KINDS.map((name) => {
      const row = rows[name];
      return writeOf(
        keyOf(name),
        { ...row, round: row.round + 1, denied: withOne(row.denied ?? [], denied) },
        row.round,
      );
    });
    if (await wasWritten(table.transact(writes))) return;
  }
  throw new ContendedError('the count of what was done before', CONFLICT_TRIES_MAX);
};

/** An action that was begun or denied, as the records tell it. */
export interface Happened extends Pick<Begun, 'at' | 'id' | 'isApproved' | 'session'> {
  readonly action: Action;
  /** A person said no to it then. */
  readonly isDenied: boolean;
  readonly hasFailed: boolean;
  readonly bringsOutside: boolean;
  /** Absent while it is in flight. */
  readonly endedAt?: number | undefined;
}

export type PastAt = (action: Action, moment: JudgedMoment) => Past;

/** The past as it stood at any moment, for a policy that is tried. Pure. @param zone the owner's */
export const buildPastAt = (happened: readonly Happened[], zone = 'UTC', targets: Targets = NO_TARGETS): PastAt => {
  const all = happened.toSorted((left, right) => left.at - right.at);
  const begun = all.filter(({ isDenied }) => !isDenied);
  const byId = new Map(begun.map((one) => [one.id, one]));
  const byName = Map.groupBy(
    all.flatMap((one) =>
      Object.values(namesOf(one.action, vouchedOf(one.action, targets))).map((name) => ({ name, one })),
    ),
    ({ name }) => name,
  );
  return (action, moment) => {
    const { now } = moment;
    const names = namesOf(action, vouchedOf(action, targets));
    const rowOf = (name: keyof Rows): Row => {
      const found = (byName.get(names[name]) ?? []).map(({ one }) => one).filter(({ at }) => at < now);
      const entries = (isDenied: boolean): Begun[] =>
        found
          .filter((one) => one.isDenied === isDenied)
          .map(({ at, id, isApproved, session, action: begunAction }) => ({
            ...{ at, id, isApproved, session, to: begunAction.to },
            amount: vouchedOf(begunAction, targets).amount ?? 0,
          }));
      const recent = entries(false);
      return { round: 0, count: recent.length, recent, denied: entries(true) };
    };
    const rows = { tool: rowOf('tool'), to: rowOf('to'), same: rowOf('same') };
    const last = rows.tool.recent.at(-1);
    return pastOf(
      rows,
      { ...moment, zone },
      {
        failedTo: byId.get(last?.id ?? '')?.hasFailed === true ? (last?.to ?? '') : '',
        outsideAt: begun.findLast((one) => one.bringsOutside && one.at < now)?.at,
        isOpen: (id) => (byId.get(id)?.endedAt ?? now) >= now,
      },
    );
  };
};
