/** Names of things that exist, for the fields of a form: jobs, runbooks, services, places. */
import { signal } from '@preact/signals';
import { get } from './server.ts';
import { allRoots, jobs } from './state.ts';

interface NamedRow {
  readonly [member: string]: unknown;
}

interface Source {
  readonly path: string;
  readonly list: string;
  readonly member: string;
}

/** Lists that the server is asked for, once for each form that opens. */
const SOURCES = {
  runbooks: { path: '/api/runbook/list', list: 'runbooks', member: 'name' },
  runs: { path: '/api/runbook/runs', list: 'runs', member: 'id' },
  services: { path: '/api/hooks/list', list: 'services', member: 'name' },
  events: { path: '/api/hooks/events', list: 'events', member: 'id' },
  targets: { path: '/api/hooks/subscriptions', list: 'subscriptions', member: 'target' },
} as const satisfies Readonly<Record<string, Source>>;

type PickSource = keyof typeof SOURCES;
export type Pick = PickSource | 'jobs' | 'places' | 'chats' | 'kinds';

const found = signal<Readonly<Partial<Record<PickSource, readonly string[]>>>>({});
/** Such as `github/push`, of the newest events. */
const kinds = signal<readonly string[]>([]);

const isAsked = (pick: Pick): pick is PickSource => Object.hasOwn(SOURCES, pick);

export const loadPick = async (pick: Pick): Promise<void> => {
  const asked = pick === 'kinds' ? 'events' : pick === 'places' ? 'targets' : pick;
  if (!isAsked(asked)) return;
  const { path, list, member } = SOURCES[asked];
  const answer: Readonly<Record<string, readonly NamedRow[]>> = await get(path);
  const items = answer[list] ?? [];
  found.value = { ...found.value, [asked]: [...new Set(items.map((one) => String(one[member])))] };
  if (asked === 'events') kinds.value = [...new Set(items.map(({ source, event }) => `${source}/${event}`))];
};

/** Conversations of this space, as a text may be sent there. */
const places = (): readonly string[] =>
  [...new Set(['console:main', ...allRoots.value.map(({ answeredIn }) => answeredIn)])].filter((place) =>
    /^(?!system:)[^:]+:./.test(place),
  );

export const choicesOf = (pick: Pick): readonly string[] => {
  if (isAsked(pick)) return found.value[pick] ?? [];
  if (pick === 'jobs') return jobs.value.filter(({ isBuiltIn }) => isBuiltIn !== true).map(({ name }) => name);
  if (pick === 'kinds') return kinds.value;
  if (pick === 'places') return [...places(), ...(found.value.targets ?? []).map((name) => `webhook:${name}`)];
  return [...new Set(allRoots.value.flatMap(({ chat }) => chat ?? []))];
};

/** By the noun of a verb and the name of its field. */
const OF_FIELDS: ReadonlyMap<string, Pick> = new Map([
  ['jobs/name', 'jobs'],
  ['cost/name', 'jobs'],
  ['runbook/runbook', 'runbooks'],
  ['runbook/name', 'runbooks'],
  ['runbook/run', 'runs'],
  ['hooks/source', 'services'],
  ['hooks/service', 'services'],
  ['hooks/event', 'events'],
  ['hooks/target', 'targets'],
  ['chats/chat', 'chats'],
]);

export const pickOf = (noun: string, field: string): Pick | undefined => OF_FIELDS.get(`${noun}/${field}`);
