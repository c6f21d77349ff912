/** The console page: the frame around the views, and the door. */
import './visible.ts';
import { effect, useSignal } from '@preact/signals';
import { render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { DecisionPage, Decisions } from './decision.tsx';
import { EvidencePage } from './evidence.tsx';
import { Drawings, Today } from './figures.tsx';
import { DecisionsPage } from './find-decisions.tsx';
import { RunbookForm } from './forms.tsx';
import { HealthPage } from './health.tsx';
import { Away, Grants, Running, Stopped } from './home.tsx';
import { JobsPage } from './jobs.tsx';
import { otherLanguage, phrase, switchLanguage } from './language.ts';
import { Manage } from './manage.tsx';
import { MemoryPage } from './memory.tsx';
import { Badge, Button, Card, Marked, Reason } from './parts.tsx';
import { HookForm, PlaceForm } from './place-forms.tsx';
import { ProviderForm } from './provider-form.tsx';
import { route, to } from './route.ts';
import { post, problem, refusal, signIn, signOut, token, tokenIn } from './server.ts';
import {
  approvals,
  health,
  isApprover,
  learned,
  lookAtChange,
  lookProblem,
  lookSoon,
  roots,
  startLooking,
} from './state.ts';
import { losses } from './stored.ts';
import { Conversations, Talk } from './talk.tsx';
import { shownSession, turns } from './turns.ts';
import { ApprovalPage, Waiting, waiting } from './waiting.tsx';

const Door = () => {
  const typed = useSignal('');
  const isStaying = useSignal(false);
  return (
    <form
      class="card"
      id="door"
      onSubmit={(event) => {
        event.preventDefault();
        signIn(tokenIn(typed.value), isStaying.value);
        lookAtChange();
      }}
    >
      <h2>{phrase('signIn')}</h2>
      <Marked source={phrase('aboutToken')} />
      {route.value.length > 1 && <p>{phrase('afterSignIn')}</p>}
      <label for="token">{phrase('approversToken')}</label>
      <input
        id="token"
        type="password"
        autocomplete="current-password"
        spellcheck={false}
        required
        value={typed.value}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value;
        }}
      />
      <label class="choice">
        <input
          type="checkbox"
          checked={isStaying.value}
          onChange={({ currentTarget }) => {
            isStaying.value = currentTarget.checked;
          }}
        />
        {phrase('staySignedIn')}
      </label>
      <button type="submit" class="primary">
        {phrase('signIn')}
      </button>
    </form>
  );
};

const NEWEST_SHOWN = 6;

const HomePage = () => (
  <>
    <Today />
    <div class="columns">
      <div>
        <Waiting />
        <Talk />
      </div>
      <div>
        <Stopped />
        <Away />
        <Running />
        <Card title={phrase('lastDecisions')} id="newest">
          <Decisions of={roots.value?.slice(0, NEWEST_SHOWN)} none={phrase('noneYet')} />
          {(roots.value ?? []).length > NEWEST_SHOWN && <a href={to('decisions')}>{phrase('allDecisions')}</a>}
        </Card>
        <Grants />
      </div>
    </div>
    <Drawings />
  </>
);

const TalkPage = () => (
  <div class="aside">
    <Conversations />
    <div>
      <Waiting />
      <Talk />
    </div>
  </div>
);

/** The form for what people make under this noun, above its verbs. */
const OwnForm = ({ noun }: { readonly noun: string | undefined }) => {
  if (noun === 'runbook')
    return (
      <Card title={phrase('startRunbook')} id="start">
        <RunbookForm />
      </Card>
    );
  if (noun === 'hooks')
    return (
      <Card title={phrase('ownHooks')} id="own-hooks">
        <HookForm />
      </Card>
    );
  if (noun === 'provider')
    return (
      <Card title={phrase('ownProvider')} id="own-provider">
        <ProviderForm />
      </Card>
    );
  if (noun !== 'chats') return null;
  return (
    <Card title={phrase('ownPlaces')} id="own-places">
      <PlaceForm />
    </Card>
  );
};

const VIEWS = {
  home: () => <HomePage />,
  talk: () => <TalkPage />,
  decisions: () =>
    route.value[1] === undefined ? <DecisionsPage /> : <DecisionPage id={route.value.slice(1).join('/')} />,
  memory: () => <MemoryPage id={route.value[1]} />,
  jobs: () => <JobsPage />,
  evidence: () => <EvidencePage />,
  manage: () => (
    <>
      {isApprover.value && <OwnForm noun={route.value[1]} />}
      <Manage />
    </>
  ),
  health: () => <HealthPage />,
  /** A link of a card leads here, and nothing else. */
  approvals: () => <ApprovalPage start={route.value[1] ?? ''} />,
} as const;
type ViewName = keyof typeof VIEWS;

const isView = (name: string): name is ViewName => Object.hasOwn(VIEWS, name);
const shownView = (): ViewName => {
  const [name = 'home'] = route.value;
  return isView(name) ? name : 'home';
};

const LINKED = ['home', 'talk', 'decisions', 'memory', 'jobs', 'evidence', 'manage', 'health'] as const;

const Links = () => (
  <nav aria-label={phrase('views')}>
    {LINKED.map((name) => (
      <a key={name} href={to(name)} aria-current={shownView() === name ? 'page' : undefined}>
        {name === 'home' && waiting.value.length > 0 ? `${phrase(name)} (${waiting.value.length})` : phrase(name)}
      </a>
    ))}
  </nav>
);

/** Cards that wait for a yes anywhere, and rules that were learned. A change is read aloud. */
const Counts = () => (
  <p id="counts" aria-live="polite" aria-atomic="true">
    {phrase('counts')(approvals.value.length, learned.value)}
  </p>
);

const flipSwitch = async (path: string): Promise<void> => {
  await post(path);
  lookAtChange();
};

const Switches = () => {
  if (!isApprover.value) return null;
  const isStopped = health.value?.checks?.isStopped === true;
  return (
    <div class="switches">
      <Button label={phrase('stop')} kind="danger" onPress={() => flipSwitch('/api/stop')} />
      {isStopped && <Button label={phrase('resume')} onPress={() => flipSwitch('/api/resume')} />}
    </div>
  );
};

/** A failure: the page says that, and mostly the server says why. */
const Trouble = ({ of }: { readonly of: string }) => {
  const [before = ''] = phrase('failed')('\n').split('\n');
  return of.startsWith(before) ? (
    <>
      {before}
      <Reason why={of.slice(before.length)} />
    </>
  ) : (
    <Reason why={of} />
  );
};

const Frame = () => {
  const main = useRef<HTMLElement>(null);
  const isOpen = token.value !== '';
  const address = route.value.join('/');
  const shown = useRef(address);
  useEffect(() => {
    // Another view: the keyboard and the screen reader go on from its beginning.
    if (shown.current !== address) {
      main.current?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    shown.current = address;
  }, [address]);
  const status = health.value?.status ?? (lookProblem.value === '' ? 'asking' : 'offline');
  const trouble = problem.value || lookProblem.value || (isOpen ? '' : refusal.value);
  return (
    <>
      <header class="top">
        <h1>
          <span class="key" aria-hidden="true" />
          <span id="assistant">{health.value?.assistant ?? 'Passepartout'}</span>
        </h1>
        <p id="status" role="status">
          {isOpen ? (
            <a href={to('health')}>
              <Badge state={status} />
            </a>
          ) : (
            <Badge state={status} />
          )}
        </p>
        {isOpen && roots.value !== undefined && <Counts />}
        {isOpen && <Links />}
        {isOpen && <Switches />}
      </header>
      <main ref={main} tabIndex={-1}>
        <p class="problem" id="problem" role="alert" hidden={trouble === ''}>
          <Trouble of={trouble} />
        </p>
        {losses.value.map((loss) => (
          <p key={loss} class="problem" role="status">
            {phrase(loss)}
          </p>
        ))}
        {isOpen ? roots.value !== undefined && VIEWS[shownView()]() : <Door />}
      </main>
      <footer>
        <button type="button" class="plain" lang={otherLanguage()} onClick={switchLanguage}>
          {phrase('otherLanguage')}
        </button>
        {isOpen && (
          <button type="button" class="plain" onClick={signOut}>
            {phrase('signOut')}
          </button>
        )}
      </footer>
    </>
  );
};

/** A tab that nobody looks at says by its title, and if it may by a notification, what waits. */
let before = 0;
effect(() => {
  const count = waiting.value.length;
  document.title = count === 0 ? 'Passepartout' : `(${count}) Passepartout`;
  const mayNotify = document.hidden && 'Notification' in window && Notification.permission === 'granted';
  if (count > before && mayNotify) new Notification('Passepartout', { body: phrase('someWait')(count) });
  before = count;
});

let shownAddress = route.value.join('/');
let conversation = shownSession();
effect(() => {
  const address = route.value.join('/');
  if (address === shownAddress) return;
  shownAddress = address;
  // A failure belongs to the view that it happened in.
  problem.value = '';
  if (conversation !== shownSession()) turns.value = undefined;
  conversation = shownSession();
  lookSoon();
});

const app = document.getElementById('app');
// In the place of the line that says that it loads.
app?.replaceChildren();
if (app !== null) render(<Frame />, app);
startLooking();
