/**
 * All decisions, with a search, filters and counts by state. Without a filter it is the list that
 * the page has anyway; with one the server looks through a bounded part of the feed at a time.
 */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { shownOutcome } from '../../../core/edge/console/list-words.ts';
import type { ListedSignal } from '../../../core/edge/console/views.ts';
import { Decisions } from './decision.tsx';
import { money, phrase, sourceWord, stateWord } from './language.ts';
import { Button, Card } from './parts.tsx';
import { attempt, get, query } from './server.ts';
import { allRoots, hasOlder, jobs, loadOlder, news, unread } from './state.ts';
import type { PlainKey } from './texts.ts';

const PICKS = ['channel', 'source', 'job', 'tool'] as const;
type Pick = (typeof PICKS)[number];

const LABELS = new Map<Pick, PlainKey>([
  ['channel', 'filterChannel'],
  ['source', 'filterSource'],
  ['job', 'filterJob'],
  ['tool', 'filterTool'],
]);

interface Filters extends Readonly<Record<Pick, string>> {
  readonly words: string;
  readonly outcome: string;
  /** Days, as a field for a date has them. */
  readonly from: string;
  readonly to: string;
  /** Micro-dollars. */
  readonly cost: string;
}

const NONE: Filters = {
  words: '',
  outcome: '',
  channel: '',
  source: '',
  job: '',
  tool: '',
  from: '',
  to: '',
  cost: '',
};
const COSTS = [1000, 10_000, 100_000, 1_000_000];
const LIMIT = '40';
const DAY_MS = 86_400_000;

/** They stay while the page is open. */
const filters = signal(NONE);
const typed = signal('');

interface FoundDecisions {
  readonly signals: readonly ListedSignal[];
  readonly counts: Readonly<Record<string, number>>;
  readonly cursor?: string;
}
const found = signal<FoundDecisions | undefined>(undefined);

const isOn = (): boolean => Object.values(filters.value).some((value) => value !== '');

/** The first moment of a day here, and so many days later. */
const dayStart = (day: string, after = 0): string =>
  day === '' ? '' : String(new Date(`${day}T00:00`).getTime() + after * DAY_MS);

const ask = (cursor = ''): Promise<FoundDecisions> => {
  const { from, to, ...rest } = filters.value;
  const days = { from: dayStart(from), to: dayStart(to, 1) };
  return get<FoundDecisions>(`/api/signals${query({ ...rest, ...days, roots: 'true', limit: LIMIT, cursor })}`);
};

const search = (): Promise<void> =>
  attempt(async () => {
    const asked = filters.value;
    if (!isOn()) {
      found.value = undefined;
      return;
    }
    const answer = await ask();
    // Another filter was chosen meanwhile.
    if (asked === filters.value) found.value = answer;
  }).then(() => undefined);

const searchOn = async (): Promise<void> => {
  const before = found.value;
  if (before?.cursor === undefined) return;
  const { signals, counts, ...rest } = await ask(before.cursor);
  const sums = Object.entries(counts).map(([name, count]) => [name, count + (before.counts[name] ?? 0)]);
  found.value = {
    signals: [...before.signals, ...signals],
    counts: { ...before.counts, ...Object.fromEntries(sums) },
    ...rest,
  };
};

const change = (changed: Partial<Filters>): void => {
  filters.value = { ...filters.value, ...changed };
  found.value = undefined;
};

const channelOf = ({ answeredIn }: ListedSignal): string => answeredIn.split(':')[0] ?? '';

/** Values that the shown decisions have, and the chosen one. */
const choicesOf = (pick: Pick, of: readonly ListedSignal[]): readonly string[] => {
  const values = of.flatMap((one) => {
    if (pick === 'channel') return channelOf(one);
    if (pick === 'tool') return one.tools ?? [];
    return (pick === 'source' ? one.source : one.job) ?? [];
  });
  const known = pick === 'job' ? jobs.value.map(({ name }) => name) : [];
  return [...new Set([...values, ...known, filters.value[pick]])].filter(Boolean).sort();
};

const Select = ({ pick, of }: { readonly pick: Pick; readonly of: readonly ListedSignal[] }) => (
  <div>
    <label for={`filter-${pick}`}>{phrase(LABELS.get(pick) ?? 'any')}</label>
    <select
      id={`filter-${pick}`}
      value={filters.value[pick]}
      onChange={({ currentTarget }) => change({ [pick]: currentTarget.value })}
    >
      <option value="">{phrase('any')}</option>
      {choicesOf(pick, of).map((value) => (
        <option key={value} value={value} lang={sourceWord(value) === value ? 'en' : undefined}>
          {sourceWord(value)}
        </option>
      ))}
    </select>
  </div>
);

const DAYS = { from: 'filterFrom', to: 'filterTo' } as const;

const Day = ({ name }: { readonly name: keyof typeof DAYS }) => (
  <div>
    <label for={`filter-${name}`}>{phrase(DAYS[name])}</label>
    <input
      id={`filter-${name}`}
      type="date"
      value={filters.value[name]}
      onChange={({ currentTarget }) => change({ [name]: currentTarget.value })}
    />
  </div>
);

const Cost = () => (
  <div>
    <label for="filter-cost">{phrase('filterCost')}</label>
    <select
      id="filter-cost"
      value={filters.value.cost}
      onChange={({ currentTarget }) => change({ cost: currentTarget.value })}
    >
      <option value="">{phrase('any')}</option>
      {COSTS.map((cost) => (
        <option key={cost} value={String(cost)}>
          {money(cost)}
        </option>
      ))}
    </select>
  </div>
);

const countOutcomes = (of: readonly ListedSignal[]): Readonly<Record<string, number>> =>
  Object.fromEntries([...Map.groupBy(of, shownOutcome)].map(([name, those]) => [name, those.length]));

const Counts = ({ counts }: { readonly counts: Readonly<Record<string, number>> }) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a frame
  <div class="counts" role="group" aria-label={phrase('byState')}>
    {Object.keys(counts).length > 0 && <span class="soft">{phrase('countedSoFar')}</span>}
    {Object.entries(counts)
      .sort(([, one], [, other]) => other - one)
      .map(([name, count]) => (
        <button
          key={name}
          type="button"
          class={`badge ${name.replace(' ', '-')}`}
          aria-pressed={filters.value.outcome === name}
          onClick={() => change({ outcome: filters.value.outcome === name ? '' : name })}
        >
          {`${stateWord(name)}: ${count}`}
        </button>
      ))}
  </div>
);

const Search = () => (
  <form
    class="row"
    onSubmit={(event) => {
      event.preventDefault();
      change({ words: typed.value.trim() });
    }}
  >
    <label class="unseen" for="filter-words">
      {phrase('searchDecisions')}
    </label>
    <input
      id="filter-words"
      class="grow"
      type="search"
      maxLength={200}
      placeholder={phrase('searchDecisions')}
      value={typed.value}
      onInput={({ currentTarget }) => {
        typed.value = currentTarget.value;
        if (currentTarget.value === '') change({ words: '' });
      }}
    />
    <button type="submit">{phrase('find')}</button>
  </form>
);

export const DecisionsPage = () => {
  useEffect(() => void search(), [filters.value, news.value]);
  const isSearch = isOn();
  const all = allRoots.value;
  const shown = isSearch ? found.value?.signals : all;
  const pool = [...all, ...(found.value?.signals ?? [])];
  return (
    <Card title={phrase('lastDecisions')} id="last">
      <Search />
      <details class="filters" open={isSearch && filters.value.words === ''}>
        <summary>{phrase('filters')}</summary>
        <div class="fields">
          {PICKS.map((pick) => (
            <Select key={pick} pick={pick} of={pool} />
          ))}
          <Day name="from" />
          <Day name="to" />
          <Cost />
        </div>
      </details>
      <Counts counts={isSearch ? (found.value?.counts ?? {}) : countOutcomes(all)} />
      {isSearch && (
        <Button
          label={phrase('showAll')}
          onPress={() => {
            typed.value = '';
            change(NONE);
          }}
        />
      )}
      {unread.value > 0 && <p class="soft">{phrase('unread')(unread.value)}</p>}
      {shown === undefined ? (
        <p class="empty">{phrase('asking')}</p>
      ) : (
        <Decisions of={shown} none={phrase(isSearch ? 'noneFits' : 'noneYet')} />
      )}
      {isSearch
        ? found.value?.cursor !== undefined && <Button label={phrase('searchOn')} onPress={searchOn} />
        : hasOlder.value && <Button label={phrase('more')} onPress={() => loadOlder()} />}
    </Card>
  );
};
