/**
 * Requests at services' addresses that were refused, as most did not prove who sent them: counted
 * for the day with the last reason, so that the owner sees why nothing arrives. Anybody may send
 * such requests: a process writes at most once a minute, for all names together, so that neither an
 * answer nor its time tells which names exist. What comes meanwhile is written when it is over.
 */
import { defined } from '../../core/base/defined.ts';
import { MINUTE_MS } from '../../core/base/limits.ts';
import { quotaItemFields, quotaKey } from '../../core/ledger/quota.ts';
import type { Table } from '../../core/store/table.ts';
import { isRefusal, type Refusal, refusalTexts, sayRefusal } from './refusal-texts.ts';

const WRITE_MS_MIN = MINUTE_MS;

const keyOf = (space: string, now: number) => quotaKey(space, { kind: 'source', name: 'unproven' }, now);

/** An attribute's name in an expression has letters and digits only. */
const encode = (name: string): string => Buffer.from(name).toString('hex');
const decode = (hex: string): string => Buffer.from(hex, 'hex').toString('utf8');

/** In place of any name that is not configured; no source can be called so. */
export const NO_SUCH_NAME = '(other names)';

const CURES = ['secret', 'time', 'body'] as const;
/** The one to look at: the secret and its scheme, a clock, or the body. */
export type UnprovenCure = (typeof CURES)[number];

/** @param name of a source, or `NO_SUCH_NAME`. @param refusal quotes nothing of the request */
export type NoteUnproven = (name: string, refusal: Refusal, now: number, cure?: UnprovenCure) => Promise<void>;

export interface Noted {
  readonly count: number;
  readonly refusal: Refusal;
  readonly cure: UnprovenCure;
}

/**
 * The last requests before a process ends, or is frozen as a Lambda function, may stay uncounted.
 * @throws UnavailableError
 */
export const buildNoteUnproven = (table: Pick<Table, 'update'>, space: string): NoteUnproven => {
  const pending = new Map<string, Noted>();
  let writtenAt = 0;
  let later: NodeJS.Timeout | undefined;
  const write = async (now: number): Promise<void> => {
    clearTimeout(later);
    later = undefined;
    writtenAt = now;
    const noted = [...pending];
    pending.clear();
    await table.update(keyOf(space, now), {
      set: {
        ...quotaItemFields(now),
        ...Object.fromEntries(
          noted.flatMap(([one, { refusal, cure }]) => [
            // For the release before.
            [`why_${encode(one)}`, sayRefusal(refusalTexts.en, refusal)],
            [`refusal_${encode(one)}`, refusal],
            [`cure_${encode(one)}`, cure],
          ]),
        ),
      },
      add: Object.fromEntries(noted.map(([one, { count }]) => [`count_${encode(one)}`, count])),
    });
  };
  return async (name, refusal, now, cure = 'secret') => {
    pending.set(name, { count: (pending.get(name)?.count ?? 0) + 1, refusal, cure });
    const dueAt = writtenAt + WRITE_MS_MIN;
    if (now >= dueAt) return write(now);
    later ??= setTimeout(() => write(dueAt).catch(() => undefined), dueAt - now).unref();
  };
};

export interface Unproven extends Pick<Noted, 'count' | 'cure'> {
  /** In English. */
  readonly reason: string;
  /** Absent from a release before. */
  readonly refusal?: Refusal;
}

/** Of today, by source. */
export const loadUnproven = async (
  table: Pick<Table, 'load'>,
  space: string,
  now: number,
): Promise<ReadonlyMap<string, Unproven>> => {
  const [item = {}] = await table.load([keyOf(space, now)]);
  const names = Object.keys(item).flatMap((key) => /^count_([0-9a-f]+)$/.exec(key)?.slice(1) ?? []);
  return new Map(
    names.map((hex) => {
      const cure = CURES.find((one) => one === item[`cure_${hex}`]) ?? 'secret';
      const refusal: unknown = item[`refusal_${hex}`];
      return [
        decode(hex),
        {
          ...{ count: Number(item[`count_${hex}`]), reason: String(item[`why_${hex}`]), cure },
          ...defined({ refusal: isRefusal(refusal) ? refusal : undefined }),
        },
      ];
    }),
  );
};
