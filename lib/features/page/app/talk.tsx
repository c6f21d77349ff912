/** One conversation: its turns, the answer being written, and the box for the next message. */
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { lineParts, turnFigures } from '../../../core/verbs/signals/turn-cost.ts';
import type { SignalView } from '../../../core/verbs/signals/view.ts';
import { loadVerbs, verbs } from './catalogue.ts';
import { duration, language, money, phrase, stateWord } from './language.ts';
import { Button, Card, Exact, Marked, Title, Words } from './parts.tsx';
import { route, to } from './route.ts';
import { attempt, get, hasJustSignedIn, query } from './server.ts';
import { allRoots, hasOlder, isApprover, loadOlder, lookSoon } from './state.ts';
import {
  draftText,
  isTurnOf,
  refreshTurns,
  say,
  sessionsIn,
  showMoreTurns,
  shownSession,
  type Turn,
  turns,
  turnsMax,
} from './turns.ts';

const describeTurn = (view: SignalView): string => {
  if (draftText(view) !== '') return phrase('writing');
  if (view.turn === 'running') return phrase('working')(stateWord(view.state));
  if (view.turn === 'waiting') return phrase('waitsForApproval');
  return hasSaid(view) ? '' : stateWord(view.state);
};

const hasSaid = ({ replies, state }: SignalView): boolean => replies.length > 0 || state === 'acted';

/** A card is shown as the actions that it asks about. */
const Reply = ({ view, reply }: { readonly view: SignalView; readonly reply: string }) => {
  const asked = (view.decision?.actions ?? []).filter(({ trace }) => trace.some(({ verdict }) => verdict === 'ask'));
  if (reply !== '[approval card]' || asked.length === 0) return <Marked kind="said theirs" source={reply} lang="" />;
  return (
    <div class="said theirs">
      {phrase('asksFor')} <Words text={asked.map(({ sentence }) => sentence).join('; ')} />
    </div>
  );
};

/** When the last was done that nobody was asked about: a person's time is not the agent's. */
const endOf = ({ receivedAt, decision, effects }: SignalView): number => {
  const asked = decision?.actions.filter(({ trace }) => trace.some(({ verdict }) => verdict === 'ask')) ?? [];
  const done = effects.filter(({ n }) => !asked.some((action) => action.n === n));
  return Math.max(decision?.at ?? receivedAt, ...done.map(({ settledAt = receivedAt }) => settledAt));
};

/** The newest turn's line says as well what waits in the conversation, and its focus. */
const describeCost = (view: SignalView, isNewest: boolean): string | undefined => {
  const figures = view.turn === 'running' ? undefined : turnFigures(view, endOf(view));
  if (figures === undefined) return undefined;
  const shown = isNewest ? figures : { ...figures, waiting: 0, focus: undefined };
  return lineParts(shown, language.value, { money, time: duration }).join(' · ');
};

interface Returned {
  readonly outputs: readonly { readonly id: string; readonly tool: string; readonly origin: string }[];
  readonly text: string;
  readonly part: number;
  readonly parts: number;
}

const loadOutput = (of: string, part: number): Promise<Returned> =>
  get(`/api/output${query({ of, part: String(part) })}`);

/** One output, as it is stored: long ones part by part. */
const Output = ({ of: { id, tool, origin } }: { readonly of: Returned['outputs'][number] }) => {
  const text = useSignal('');
  const next = useSignal(1);
  const isOutside = origin === 'outside';
  const load = async (): Promise<void> => {
    const { text: more, part, parts } = await loadOutput(id, next.value);
    text.value += more;
    next.value = part < parts ? part + 1 : 0;
  };
  return (
    <div class={`piece ${origin}`}>
      {text.value !== '' && (
        <p class="soft">
          <Words text={tool} /> {isOutside && `(${phrase('fromOutside')})`}
        </p>
      )}
      {text.value !== '' && <Exact text={text.value} />}
      {next.value > 0 && <Button label={text.value === '' ? tool : phrase('more')} onPress={load} />}
    </div>
  );
};

/** Outputs of a turn's tools, once somebody asks for them. No model is asked. */
const Outputs = ({ of }: { readonly of: string }) => {
  const found = useSignal<Returned['outputs'] | undefined>(undefined);
  const load = async (): Promise<void> => {
    found.value = (await loadOutput(of, 1)).outputs;
  };
  return (
    <div class="said note">
      {found.value === undefined ? (
        <Button label={phrase('returned')} onPress={load} />
      ) : (
        found.value.toReversed().map((one) => <Output key={one.id} of={one} />)
      )}
    </div>
  );
};

const hasReturned = ({ turn, decision, effects }: SignalView): boolean =>
  turn !== 'running' &&
  effects.some(({ n, output }) => output !== undefined && decision?.actions[n]?.action.tool !== undefined);

const TurnBlock = ({ root, view, isNewest }: Turn & { readonly isNewest: boolean }) => {
  const draft = draftText(view);
  const note = describeTurn(view);
  const cost = describeCost(view, isNewest);
  return (
    <li class="turn">
      <div class={root.source === 'console' ? 'said mine' : 'said note'} dir="auto">
        {view.text.length > 0 ? (
          <Words text={view.text.map((piece) => piece.text).join('\n')} lang="" />
        ) : (
          <Title of={root} />
        )}
      </div>
      {view.replies.map((reply, n) => (
        <Reply key={n} view={view} reply={reply} />
      ))}
      {draft !== '' && <Marked kind="said theirs draft" source={draft} lang="" />}
      {note !== '' && (
        <div class="said note">
          {note}
          {view.turn === 'ended' && view.stateReason !== undefined && <Words text={`: ${view.stateReason}`} />}
        </div>
      )}
      {cost !== undefined && (
        <a class="said note" href={to('decisions', view.id)}>
          {cost}
        </a>
      )}
      {hasReturned(view) && <Outputs of={view.id} />}
    </li>
  );
};

const COMPLETIONS_SHOWN = 8;

/** The commands that fit what is typed so far. A press takes one. */
const Completion = ({ typed, onTake }: { readonly typed: string; readonly onTake: (words: string) => void }) => {
  const found = typed.startsWith('/')
    ? verbs.value
        .filter(({ words }) => words.startsWith(typed.slice(1)) && words !== typed.slice(1))
        .slice(0, COMPLETIONS_SHOWN)
    : [];
  if (found.length === 0) return null;
  return (
    <ul class="completion" aria-label={phrase('fittingCommands')}>
      {found.map(({ words, summary }) => (
        <li key={words}>
          <button type="button" class="plain" lang="en" onClick={() => onTake(words)}>
            /{words}
          </button>{' '}
          <Words kind="soft" text={summary} />
        </li>
      ))}
    </ul>
  );
};

/** Shown as long as nothing was said; a press writes one into the box. */
const examples = (): readonly string[] => [phrase('exampleNote'), phrase('exampleJob'), '/status'];

const Examples = ({ onTake }: { readonly onTake: (text: string) => void }) => (
  <>
    <p class="empty">{phrase('aboutTalk')}</p>
    <div class="row examples">
      {examples().map((text) => (
        <Button key={text} label={text} onPress={() => onTake(text)} />
      ))}
    </div>
  </>
);

const Say = ({ session }: { readonly session: string }) => {
  const typed = useSignal('');
  const isSending = useSignal(false);
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (hasJustSignedIn.value) box.current?.focus();
    hasJustSignedIn.value = false;
  }, []);
  const take = (text: string): void => {
    typed.value = text;
    box.current?.focus();
  };
  const send = async (): Promise<void> => {
    const text = typed.value;
    if (text.trim() === '' || isSending.value) return;
    isSending.value = true;
    await attempt(async () => {
      await say(text, session);
      lookSoon();
      if (typed.value === text) typed.value = '';
    });
    isSending.value = false;
  };
  return (
    <form
      id="say"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {turns.value?.length === 0 && typed.value === '' && <Examples onTake={take} />}
      <Completion typed={typed.value} onTake={(words) => take(`/${words} `)} />
      <label for="text" class="unseen">
        {phrase('message')}
      </label>
      <textarea
        id="text"
        ref={box}
        rows={2}
        placeholder={phrase('writeMessage')}
        required
        value={typed.value}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value;
          if (typed.value.startsWith('/')) void attempt(loadVerbs);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          void send();
        }}
      />
      <div class="row end">
        <span class="hint">{phrase('aboutEnter')}</span>
        <button type="submit" class="primary" aria-disabled={isSending.value}>
          {phrase('send')}
        </button>
      </div>
    </form>
  );
};

/** Whether the conversation has earlier turns that are known. */
const areTurnsCut = (session: string): boolean =>
  allRoots.value.filter((root) => isTurnOf(root, session)).length > turnsMax.value;
const hasEarlier = (session: string): boolean => areTurnsCut(session) || hasOlder.value;

export const Talk = () => {
  const list = useRef<HTMLOListElement>(null);
  const session = shownSession();
  const [channel, name = ''] = session.split(/:(.*)/s);
  const shown = turns.value ?? [];
  const last = shown.at(-1)?.view;
  const length = last === undefined ? 0 : JSON.stringify([last.replies, draftText(last)]).length;
  useLayoutEffect(() => {
    if (list.current !== null) list.current.scrollTop = list.current.scrollHeight;
  }, [session, last?.id, length]);
  const loadEarlier = async (): Promise<void> => {
    showMoreTurns();
    if (!areTurnsCut(session)) await loadOlder((root) => isTurnOf(root, session));
    await refreshTurns(allRoots.value, lookSoon);
    // The button goes: the keyboard goes on from the list.
    if (!hasEarlier(session)) list.current?.focus();
  };
  return (
    <Card title={session === 'console:main' ? phrase('talk') : `${phrase('talk')} · ${session}`} id="talk">
      {hasEarlier(session) && (
        <div class="row examples">
          <Button label={phrase('earlierTurns')} onPress={loadEarlier} />
        </div>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
      <ol class="turns" id="turns" ref={list} tabIndex={0} aria-live="polite" aria-label={phrase('conversation')}>
        {shown.map(({ root, view }) => (
          <TurnBlock key={root.id} root={root} view={view} isNewest={view === last} />
        ))}
      </ol>
      {turns.value === undefined && <p class="empty">{phrase('asking')}</p>}
      {turns.value?.length === 0 && !isApprover.value && <p class="empty">{phrase('nothingSaid')}</p>}
      {channel !== 'console' && <p class="soft">{phrase('sentThere')}</p>}
      {channel === 'console' && isApprover.value && <Say session={name} />}
    </Card>
  );
};

const NewConversation = () => {
  const name = useSignal('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        location.hash = to('talk', `console:${name.value}`);
        name.value = '';
      }}
    >
      <label for="conversation">{phrase('newConversation')}</label>
      <div class="row">
        <input
          id="conversation"
          required
          pattern="[A-Za-z0-9_.\-]{1,60}"
          title={phrase('nameRule')}
          placeholder={phrase('itsName')}
          value={name.value}
          onInput={({ currentTarget }) => {
            name.value = currentTarget.value;
          }}
        />
        <button type="submit">{phrase('begin')}</button>
      </div>
    </form>
  );
};

export const Conversations = () => (
  <Card title={phrase('conversations')} id="conversations">
    <ul class="links">
      {sessionsIn(allRoots.value).map((session) => (
        <li key={session}>
          <a href={to('talk', session)} aria-current={route.value[0] === 'talk' && session === shownSession()}>
            {session}
          </a>
        </li>
      ))}
    </ul>
    {hasOlder.value && (
      <div class="row examples">
        <Button label={phrase('more')} onPress={() => loadOlder()} />
      </div>
    )}
    {isApprover.value && <NewConversation />}
  </Card>
);
