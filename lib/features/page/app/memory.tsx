/**
 * Memory: an outline, a search, one note with its versions and the decisions that it
 * was shown to, and all of it at an earlier moment beside now, with the way back.
 */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Answer } from './health.tsx';
import { clock, phrase } from './language.ts';
import { Change } from './manage.tsx';
import { Badge, Button, Card, Lines } from './parts.tsx';
import { to } from './route.ts';
import { attempt, get, query } from './server.ts';
import { isApprover, news } from './state.ts';

interface ShownNote {
  readonly id: string;
  /** In an outline. */
  readonly level?: number;
  readonly origin: string;
  readonly content?: string;
  readonly attributes?: { readonly title?: string; readonly tags: readonly string[]; readonly todo?: string };
}

/** Commits in order, and what they forgot. */
interface CommitsPage {
  readonly records: readonly { readonly id: string; readonly fixed: { readonly at?: number } }[];
}

const TITLE_CHARS = 120;

const titleOf = ({ attributes, content = '' }: ShownNote): string =>
  (attributes?.title || content.trim().split('\n')[0] || phrase('untitled')).slice(0, TITLE_CHARS);

const Notes = ({ notes, none }: { readonly notes: readonly ShownNote[]; readonly none: string }) => {
  if (notes.length === 0) return <p class="empty">{none}</p>;
  return (
    <ul class="notes">
      {notes.map((note) => (
        <li key={note.id} class={`piece ${note.origin}`} data-level={note.level ?? 0}>
          <a href={to('memory', note.id)} dir="auto" lang="">
            {titleOf(note)}
          </a>{' '}
          <span class="soft">
            {[note.attributes?.todo, ...(note.attributes?.tags ?? []).map((tag) => `#${tag}`)]
              .filter(Boolean)
              .join(' ')}
            {note.origin === 'outside' && ` ${phrase('fromOutside')}`}
          </span>
        </li>
      ))}
    </ul>
  );
};

const Search = () => {
  const words = useSignal('');
  const found = useSignal<readonly ShownNote[] | undefined>(undefined);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void attempt(async () => {
          found.value = (
            await get<{ objects: readonly ShownNote[] }>(`/api/recall${query({ words: words.value })}`)
          ).objects;
        });
      }}
    >
      <label for="words">{phrase('search')}</label>
      <div class="row">
        <input
          id="words"
          class="grow"
          required
          value={words.value}
          onInput={({ currentTarget }) => {
            words.value = currentTarget.value;
          }}
        />
        <button type="submit">{phrase('find')}</button>
      </div>
      <div role="status">{found.value !== undefined && <Notes notes={found.value} none={phrase('noneFound')} />}</div>
    </form>
  );
};

interface Snapshot {
  readonly name: string;
  readonly commit: number;
  readonly at: number;
}

/** All of memory at an earlier commit, as the difference to now: this is what going back undoes. */
const Earlier = ({ commit }: { readonly commit: number }) => {
  /** Undefined is now, also when memory goes on. */
  const chosen = useSignal<number | undefined>(undefined);
  const at = chosen.value ?? commit;
  const lines = useSignal<readonly string[]>([]);
  const dates = useSignal<ReadonlyMap<number, number>>(new Map());
  /** Of this commit, and of others that come with it. */
  const loadDates = async (from: number): Promise<void> => {
    if (from === 0 || dates.value.has(from)) return;
    const { records } = await get<CommitsPage>(`/api/log/commits${query({ after: String(from - 1) })}`);
    const found = records.flatMap(({ id, fixed: { at: when } }) =>
      when === undefined ? [] : [[Number(id), when] as const],
    );
    dates.value = new Map([...dates.value, ...found]);
  };
  const dateOf = (n: number): string => {
    const when = dates.value.get(n);
    return when === undefined ? '' : clock(when);
  };
  const snapshots = useSignal<readonly Snapshot[]>([]);
  const choose = (from: number): void => {
    chosen.value = from === commit ? undefined : from;
    void attempt(async () => {
      await loadDates(from);
      const ends = query({ from: String(from), to: String(commit) });
      lines.value = from === commit ? [] : (await get<{ lines: readonly string[] }>(`/api/diff${ends}`)).lines;
    });
  };
  useEffect(
    () =>
      void attempt(async () => {
        snapshots.value = (await get<{ snapshots: readonly Snapshot[] }>('/api/snapshots')).snapshots;
        choose(at);
        await loadDates(1);
        await loadDates(commit);
      }),
    [commit, news.value],
  );
  if (commit === 0) return <p class="empty">{phrase('noEarlier')}</p>;
  return (
    <>
      <label for="commit">
        {at === commit ? phrase('nowCommit')(commit) : phrase('commitOf')(at, commit, dateOf(at))}
      </label>
      <input
        id="commit"
        type="range"
        min={0}
        max={commit}
        value={at}
        onInput={({ currentTarget }) => {
          chosen.value = Number(currentTarget.value);
        }}
        onChange={({ currentTarget }) => choose(Number(currentTarget.value))}
      />
      <p class="ends soft">
        <span>{dateOf(1)}</span>
        <span>{dateOf(commit)}</span>
      </p>
      <div class="row">
        {snapshots.value.map((one) => (
          <Button key={one.name} label={`${one.name} (${clock(one.at)})`} onPress={() => choose(one.commit)} />
        ))}
        {isApprover.value && <Change label={phrase('takeSnapshot')} path="/api/snapshot" body={{}} />}
      </div>
      {at === commit && (
        <p class="soft">
          {phrase('moveBack')} {snapshots.value.length === 0 && phrase('noSnapshots')}
        </p>
      )}
      <div id="difference">
        <Lines lines={lines.value} />
      </div>
      {isApprover.value && at < commit && lines.value.length > 0 && (
        <Change key={at} kind="danger" label={phrase('goBack')(at)} path="/api/rollback" body={{ to: String(at) }} />
      )}
    </>
  );
};

interface Outline {
  readonly commit: number;
  readonly objects: readonly ShownNote[];
}

const All = () => {
  const outline = useSignal<Outline | undefined>(undefined);
  const load = async (): Promise<void> => {
    outline.value = await get<Outline>('/api/memory');
  };
  useEffect(() => void attempt(load), [news.value]);
  if (outline.value === undefined) return <p class="empty">{phrase('asking')}</p>;
  const { commit, objects } = outline.value;
  return (
    <div class="columns">
      <div>
        <Card title={phrase('memory')} id="notes">
          <Search />
          <h3>{phrase('allOfIt')}</h3>
          <Notes notes={objects} none={phrase('noNotes')} />
        </Card>
      </div>
      <div>
        <Card title={phrase('earlier')} id="earlier">
          <Earlier commit={commit} />
        </Card>
      </div>
    </div>
  );
};

interface Sighting {
  readonly signalId: string;
  readonly at: number;
  readonly state: string;
  readonly session: string;
}

const SeenBy = ({ id }: { readonly id: string }) => {
  const seen = useSignal<readonly Sighting[] | undefined>(undefined);
  useEffect(
    () =>
      void attempt(async () => {
        seen.value = (await get<{ seen: readonly Sighting[] }>(`/api/memory/seen/${id}`)).seen;
      }),
    [id],
  );
  return (
    <Card title={phrase('seenBy')} id="seen">
      {seen.value !== undefined && <p class="soft">{phrase('decisionsOfDays')(seen.value.length)}</p>}
      <ul class="decisions">
        {(seen.value ?? []).map(({ signalId, at, state, session }) => (
          <li key={signalId}>
            <a href={to('decisions', signalId)}>
              <Badge state={state} />
              <span class="what">{session}</span>
              <span class="soft">{clock(at)}</span>
            </a>
          </li>
        ))}
      </ul>
    </Card>
  );
};

const One = ({ id }: { readonly id: string }) => {
  const isSure = useSignal(false);
  return (
    <>
      <p>
        <a href={to('memory')}>{phrase('allMemory')}</a>
      </p>
      <div class="columns">
        <div>
          <Answer title={phrase('note')} id="note" isLive path={`/api/memory${query({ id })}`} />
          {isApprover.value && (
            <Card title={phrase('forget')} id="forget">
              <p>{phrase('aboutForget')}</p>
              <div class="row">
                <Button
                  label={phrase('forgetAfter')}
                  isExpanded={isSure.value}
                  onPress={() => {
                    isSure.value = !isSure.value;
                  }}
                />
                {isSure.value && <Change kind="danger" label={phrase('yesForget')} path="/api/forget" body={{ id }} />}
              </div>
            </Card>
          )}
        </div>
        <div>
          <Answer title={phrase('itsVersions')} id="versions" isLive path={`/api/audit${query({ id })}`} />
          <SeenBy id={id} />
        </div>
      </div>
    </>
  );
};

export const MemoryPage = ({ id }: { readonly id: string | undefined }) =>
  id === undefined ? <All /> : <One key={id} id={id} />;
