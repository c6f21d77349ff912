/** One conversation: its turns, the answer being written, and the box for the next message. */
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { turnCost } from '../../../../wings/signals/turn-cost.ts';
import type { SignalView } from '../../../../wings/signals/view.ts';
import { loadVerbs, verbs } from './catalogue.ts';
import { Button, Card, Marked } from './parts.tsx';
import { route, to } from './route.ts';
import { attempt, hasJustSignedIn } from './server.ts';
import { isApprover, lookSoon, roots } from './state.ts';
import { draftText, say, sessionsIn, shownSession, type Turn, turns } from './turns.ts';

const describeTurn = (view: SignalView): string => {
  if (draftText(view) !== '') return 'writing…';
  if (view.turn === 'running') return `working on it (${view.state})…`;
  if (view.turn === 'waiting') return 'waiting for an approval';
  if (view.replies.length > 0 || view.state === 'acted') return '';
  return view.state + (view.stateReason === undefined ? '' : `: ${view.stateReason}`);
};

/** A card is shown as the actions that it asks about. */
const replyText = (view: SignalView, reply: string): string => {
  const asked = (view.decision?.actions ?? []).filter(({ trace }) => trace.some(({ verdict }) => verdict === 'ask'));
  if (reply !== '[approval card]' || asked.length === 0) return reply;
  return `Asks for your yes: ${asked.map(({ sentence }) => sentence).join('; ')}`;
};

/** When the last was done that nobody was asked about: a person's time is not the agent's. */
const endOf = ({ receivedAt, decision, effects }: SignalView): number => {
  const asked = decision?.actions.filter(({ trace }) => trace.some(({ verdict }) => verdict === 'ask')) ?? [];
  const done = effects.filter(({ n }) => !asked.some((action) => action.n === n));
  return Math.max(decision?.at ?? receivedAt, ...done.map(({ settledAt = receivedAt }) => settledAt));
};

const TurnBlock = ({ root, view }: Turn) => {
  const text = view.text.length > 0 ? view.text.map((piece) => piece.text).join('\n') : root.text;
  const draft = draftText(view);
  const note = describeTurn(view);
  const cost = view.turn === 'running' ? undefined : turnCost(view, endOf(view));
  return (
    <li class="turn">
      <div class={root.source === 'console' ? 'said mine' : 'said note'} dir="auto">
        {text}
      </div>
      {view.replies.map((reply, n) => (
        <Marked key={n} kind="said theirs" source={replyText(view, reply)} />
      ))}
      {draft !== '' && <Marked kind="said theirs draft" source={draft} />}
      {note !== '' && <div class="said note">{note}</div>}
      {cost !== undefined && (
        <a class="said note" href={to('decisions', view.id)}>
          {cost}
        </a>
      )}
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
    <ul class="completion" aria-label="Commands that fit">
      {found.map(({ words, summary }) => (
        <li key={words}>
          <button type="button" class="plain" onClick={() => onTake(words)}>
            /{words}
          </button>{' '}
          <span class="soft">{summary}</span>
        </li>
      ))}
    </ul>
  );
};

/** Shown as long as nothing was said; a press writes one into the box. */
const EXAMPLES = ['remember that my bike is blue', 'every 5 minutes say drink water', '/status'];

const Examples = ({ onTake }: { readonly onTake: (text: string) => void }) => (
  <>
    <p class="empty">
      Say hello, or try one of these. What the model wants to do is checked by fixed rules before it happens, and what
      needs your yes waits here.
    </p>
    <div class="row examples">
      {EXAMPLES.map((text) => (
        <Button key={text} label={text} onPress={() => onTake(text)} />
      ))}
    </div>
  </>
);

const Say = ({ session }: { readonly session: string }) => {
  const typed = useSignal('');
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (hasJustSignedIn.value) box.current?.focus();
    hasJustSignedIn.value = false;
  }, []);
  const take = (text: string): void => {
    typed.value = text;
    box.current?.focus();
  };
  const send = (): void => {
    const text = typed.value;
    if (text.trim() === '') return;
    void attempt(async () => {
      await say(text, session);
      lookSoon();
      if (typed.value === text) typed.value = '';
    });
  };
  return (
    <form
      id="say"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {turns.value?.length === 0 && typed.value === '' && <Examples onTake={take} />}
      <Completion typed={typed.value} onTake={(words) => take(`/${words} `)} />
      <label for="text" class="unseen">
        Message
      </label>
      <textarea
        id="text"
        ref={box}
        rows={2}
        placeholder="Write a message, or / for commands"
        required
        value={typed.value}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value;
          if (typed.value.startsWith('/')) void attempt(loadVerbs);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          send();
        }}
      />
      <div class="row end">
        <span class="hint">Enter sends, Shift + Enter makes a new line</span>
        <button type="submit" class="primary">
          Send
        </button>
      </div>
    </form>
  );
};

export const Talk = () => {
  const list = useRef<HTMLOListElement>(null);
  const session = shownSession();
  const [channel, name = ''] = session.split(/:(.*)/s);
  const shown = turns.value ?? [];
  const length = JSON.stringify(shown.map(({ view }) => [view.replies, draftText(view)])).length;
  useLayoutEffect(() => {
    if (list.current !== null) list.current.scrollTop = list.current.scrollHeight;
  }, [session, length]);
  return (
    <Card title={session === 'console:main' ? 'Talk' : `Talk · ${session}`} id="talk">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
      <ol class="turns" id="turns" ref={list} tabIndex={0} aria-live="polite" aria-label="Conversation">
        {shown.map(({ root, view }) => (
          <TurnBlock key={root.id} root={root} view={view} />
        ))}
      </ol>
      {turns.value?.length === 0 && !isApprover.value && <p class="empty">Nothing was said here yet.</p>}
      {channel !== 'console' && <p class="soft">Messages to this conversation are sent there, not here.</p>}
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
      <label for="conversation">New conversation</label>
      <div class="row">
        <input
          id="conversation"
          required
          pattern="[A-Za-z0-9_.\-]{1,60}"
          title="letters, digits, and . _ -"
          placeholder="its name"
          value={name.value}
          onInput={({ currentTarget }) => {
            name.value = currentTarget.value;
          }}
        />
        <button type="submit">Begin</button>
      </div>
    </form>
  );
};

export const Conversations = () => (
  <Card title="Conversations" id="conversations">
    <ul class="links">
      {sessionsIn(roots.value ?? []).map((session) => (
        <li key={session}>
          <a href={to('talk', session)} aria-current={route.value[0] === 'talk' && session === shownSession()}>
            {session}
          </a>
        </li>
      ))}
    </ul>
    {isApprover.value && <NewConversation />}
  </Card>
);
