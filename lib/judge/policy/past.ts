/**
 * The past that a policy may ask about, as `context.past`. Act counts each action in four small
 * rows, in the transaction that claims it, on condition that they are as they were judged: of two
 * actions in flight the second is judged again. Rows are kept and read only while a policy names
 * `context.past`. Loaded with the policy engine.
 */
import * as z from 'zod/mini';
import { canonicalJson, hashOf } from '../../base/canonical.ts';
import { asText, isObject, type Json } from '../../base/json.ts';
import { DAY_MS, HOUR_MS } from '../../base/limits.ts';
import { type Action, actionHash, isText } from '../../signal/action.ts';
import { isMcpTool } from '../../signal/mcp-name.ts';
import type { Origin } from '../../signal/signal.ts';
import { absent, equals } from '../../store/condition.ts';
import { type Key, signalKeys } from '../../store/keys.ts';
import { parseStored } from '../../store/parse-stored.ts';
import type { Item, Table, Write } from '../../store/table.ts';
import { findTool } from '../../tools/catalogue.ts';
import { NO_PAST, type Past } from './policy-domain.ts';

/** Of one row and day. A count of so many means: so many or more. */
const RECENT_MAX = 200;

/** One action that was begun, however it ended. */
export interface Begun {
  readonly at: number;
  /** `<signal>#<n>` */
  readonly id: string;
  /** A person said yes to it on a card. */
  readonly isApproved?: true | undefined;
  readonly to?: string | undefined;
}

const Row = z.object({
  round: z.int(),
  /** Actions ever. */
  count: z.int(),
  recent: asText(
    z.array(
      z.object({ at: z.int(), id: z.string(), isApproved: z.optional(z.literal(true)), to: z.optional(z.string()) }),
    ),
  ),
});
type Row = z.infer<typeof Row>;
const NO_ROW: Row = { round: 0, count: 0, recent: [] };

const fieldOf = (value: Json | undefined, name: string): Json | undefined =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** The recipient: the address, and the field `to` of its arguments or of a webhook's body. */
const recipientOf = ({ target, to = '', url = '', args }: Action): string => {
  const named = fieldOf(args, 'to') ?? fieldOf(fieldOf(args, 'body'), 'to') ?? '';
  const recipient = typeof named === 'string' ? named.trim().toLowerCase() : canonicalJson(named);
  return hashOf('action', { target, to, url, recipient }).slice(0, 32);
};

/** The rows that an action is counted in: those of one name count together. */
export const namesOf = (action: Action) => ({
  tool: `tool#${isText(action) ? action.target : action.tool}`,
  to: `to#${recipientOf(action)}`,
  same: `same#${actionHash({ ...action, explanation: '' }).slice(0, 32)}`,
});
export type Rows = Readonly<Record<keyof ReturnType<typeof namesOf>, Row>>;

const within = (row: Row, now: number, ms: number): number => row.recent.filter(({ at }) => at > now - ms).length;

/** @param failedTo where the tool's newest call went, if it failed */
export const pastOf = (
  { tool, to, same }: Rows,
  now: number,
  { failedTo, outsideAt }: { readonly failedTo: string; readonly outsideAt: number | undefined },
): Past => ({
  tool: { hour: within(tool, now, HOUR_MS), day: within(tool, now, DAY_MS), failedTo },
  to: { hour: within(to, now, HOUR_MS), day: within(to, now, DAY_MS), isFirst: to.count === 0 },
  same: {
    day: within(same, now, DAY_MS),
    ever: same.count,
    approved: same.recent.filter(({ at, isApproved }) => isApproved === true && at > now - DAY_MS).length,
  },
  minutesSinceOutside:
    outsideAt === undefined ? NO_PAST.minutesSinceOutside : Math.max(0, Math.floor((now - outsideAt) / 60_000)),
});

/** The row with one action more. A repeat of the same one counts once. Pure. */
export const withBegun = (row: Row, begun: Begun): Row => ({
  round: row.round + 1,
  count: row.count + (row.recent.some(({ id }) => id === begun.id) ? 0 : 1),
  recent: [...row.recent.filter(({ id, at }) => id !== begun.id && at > begun.at - DAY_MS), begun].slice(-RECENT_MAX),
});

const pastKey = (space: string, sk: string): Key => ({ pk: `spend#${space}#past`, sk });

const writeOf = (key: Key, row: Row, begun: Begun): Write => {
  const { recent, ...counted } = withBegun(row, begun);
  return {
    kind: 'update',
    key,
    change: { set: { schemaVersion: 1, ...counted, recent: JSON.stringify(recent) } },
    condition: { name: 'the past is as judged', holds: row.round === 0 ? absent('round') : equals('round', row.round) },
  };
};

/** Whether its answer is outside text. */
export const bringsOutside = ({ tool }: Action): boolean =>
  isMcpTool(tool) || findTool(tool ?? '')?.outputOrigin === 'outside';

export interface PastReading {
  readonly past: Past;
  /** Counts the action, in the transaction that claims it. */
  readonly count: (begun: Begun) => readonly Write[];
}

const parseRow = (item: Item | undefined): Row => (item === undefined ? NO_ROW : parseStored(item, Row));

const FAILED: readonly unknown[] = ['failed', 'refused', 'unknown'];

/** At most two requests. @throws StoredItemError: then nothing may be judged */
export const readPast = async (
  table: Pick<Table, 'load'>,
  action: Action,
  { space, now, origin }: { readonly space: string; readonly now: number; readonly origin: Origin },
): Promise<PastReading> => {
  const names = namesOf(action);
  const keys = [names.tool, names.to, names.same, 'outside'].map((name) => pastKey(space, name));
  const [tool, to, same, outside] = await table.load(keys, { isConsistent: true });
  const rows: Rows = { tool: parseRow(tool), to: parseRow(to), same: parseRow(same) };
  const last = rows.tool.recent.at(-1);
  const [id = '', n = '0'] = last?.id.split(/#(?=\d+$)/) ?? [];
  const effectKeys = last === undefined ? [] : [signalKeys.effect(space, id, Number(n))];
  const [effect] = await table.load(effectKeys, { isConsistent: true });
  const failedTo = FAILED.includes(effect?.state) ? (last?.to ?? '') : '';
  const outsideAt = origin === 'outside' ? now : typeof outside?.at === 'number' ? outside.at : undefined;
  return {
    past: pastOf(rows, now, { failedTo, outsideAt }),
    count: (begun) => [
      writeOf(pastKey(space, names.tool), rows.tool, begun),
      writeOf(pastKey(space, names.to), rows.to, begun),
      writeOf(pastKey(space, names.same), rows.same, begun),
      ...(bringsOutside(action)
        ? [{ kind: 'update', key: pastKey(space, 'outside'), change: { set: { at: begun.at } } } as const]
        : []),
    ],
  };
};

/** An action that was begun, as the records tell it. */
export interface Happened extends Pick<Begun, 'at' | 'isApproved'> {
  readonly action: Action;
  readonly hasFailed: boolean;
  readonly bringsOutside: boolean;
}

export type PastAt = (action: Action, now: number, origin: Origin) => Past;

/** The past as it stood at any moment, for a policy that is tried. Pure. */
export const buildPastAt = (happened: readonly Happened[]): PastAt => {
  const all = happened.toSorted((left, right) => left.at - right.at);
  const byName = Map.groupBy(
    all.flatMap((one) => Object.values(namesOf(one.action)).map((name) => ({ name, one }))),
    ({ name }) => name,
  );
  const before = (name: string, now: number): readonly Happened[] =>
    (byName.get(name) ?? []).map(({ one }) => one).filter(({ at }) => at < now);
  const rowOf = (name: string, now: number): Row => {
    const found = before(name, now);
    return { round: 0, count: found.length, recent: found.map(({ at, isApproved }) => ({ at, id: '', isApproved })) };
  };
  return (action, now, origin) => {
    const names = namesOf(action);
    const last = before(names.tool, now).at(-1);
    const outsideAt = origin === 'outside' ? now : all.findLast((one) => one.bringsOutside && one.at < now)?.at;
    const rows = { tool: rowOf(names.tool, now), to: rowOf(names.to, now), same: rowOf(names.same, now) };
    return pastOf(rows, now, { failedTo: last?.hasFailed === true ? (last.action.to ?? '') : '', outsideAt });
  };
};
