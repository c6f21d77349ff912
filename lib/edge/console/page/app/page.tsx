/** The console page: the frame around the views, and the door. */
import './visible.ts';
import { effect, useSignal } from '@preact/signals';
import { render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { DecisionPage, Decisions } from './decision.tsx';
import { EvidencePage } from './evidence.tsx';
import { HealthPage } from './health.tsx';
import { Away, Grants, Running, Stopped } from './home.tsx';
import { JobsPage } from './jobs.tsx';
import { Manage } from './manage.tsx';
import { MemoryPage } from './memory.tsx';
import { Badge, Button, Card } from './parts.tsx';
import { route, to } from './route.ts';
import { post, problem, signIn, token } from './server.ts';
import { health, isApprover, lookAtChange, lookProblem, lookSoon, roots, startLooking } from './state.ts';
import { losses } from './stored.ts';
import { Conversations, Talk } from './talk.tsx';
import { turns } from './turns.ts';
import { ApprovalPage, Waiting, waiting } from './waiting.tsx';

const Door = () => {
  const typed = useSignal('');
  return (
    <form
      class="card"
      id="door"
      onSubmit={(event) => {
        event.preventDefault();
        signIn(typed.value.trim());
        lookAtChange();
      }}
    >
      <h2>Sign in</h2>
      <p>
        The token is in the address that <code>npm start</code> prints in a terminal, and in <code>tokens.json</code> of
        the data folder; on AWS it is the <code>APPROVER_TOKEN</code> that you deployed with. It stays in this tab and
        is sent only to this server. A script's token that may read shows everything, and can change nothing here.
      </p>
      {route.value.length > 1 && <p>After it you see what this address names.</p>}
      <label for="token">Approver's token</label>
      <div class="row">
        <input
          id="token"
          type="password"
          autocomplete="off"
          spellcheck={false}
          required
          value={typed.value}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
          }}
        />
        <button type="submit" class="primary">
          Sign in
        </button>
      </div>
    </form>
  );
};

const NEWEST_SHOWN = 6;

const HomePage = () => (
  <div class="columns">
    <div>
      <Waiting />
      <Talk />
    </div>
    <div>
      <Stopped />
      <Away />
      <Running />
      <Card title="Last decisions" id="newest">
        <Decisions of={roots.value?.slice(0, NEWEST_SHOWN)} none="None yet." />
        {(roots.value ?? []).length > NEWEST_SHOWN && <a href={to('decisions')}>All decisions</a>}
      </Card>
      <Grants />
    </div>
  </div>
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

const DecisionsPage = () => (
  <Card title="Last decisions" id="last">
    <Decisions of={roots.value} none="None yet." />
  </Card>
);

/** A view without a title is reached by a link alone. */
const VIEWS = {
  home: { title: 'Home', show: () => <HomePage /> },
  talk: { title: 'Talk', show: () => <TalkPage /> },
  decisions: {
    title: 'Decisions',
    show: () =>
      route.value[1] === undefined ? <DecisionsPage /> : <DecisionPage id={route.value.slice(1).join('/')} />,
  },
  approvals: { title: '', show: () => <ApprovalPage start={route.value[1] ?? ''} /> },
  memory: { title: 'Memory', show: () => <MemoryPage id={route.value[1]} /> },
  jobs: { title: 'Jobs', show: () => <JobsPage /> },
  evidence: { title: 'Evidence', show: () => <EvidencePage /> },
  manage: { title: 'Manage', show: () => <Manage /> },
  health: { title: 'Health', show: () => <HealthPage /> },
} as const;
type ViewName = keyof typeof VIEWS;

const isView = (name: string): name is ViewName => Object.hasOwn(VIEWS, name);
const shownView = (): ViewName => {
  const [name = 'home'] = route.value;
  return isView(name) ? name : 'home';
};

const Links = () => (
  <nav aria-label="Views">
    {Object.entries(VIEWS)
      .filter(([, { title }]) => title !== '')
      .map(([name, { title }]) => (
        <a key={name} href={to(name)} aria-current={shownView() === name ? 'page' : undefined}>
          {name === 'home' && waiting.value.length > 0 ? `${title} (${waiting.value.length})` : title}
        </a>
      ))}
  </nav>
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
      <Button label="Stop" kind="danger" onPress={() => flipSwitch('/api/stop')} />
      {isStopped && <Button label="Resume" onPress={() => flipSwitch('/api/resume')} />}
    </div>
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
  const status = health.value?.status ?? (lookProblem.value === '' ? 'asking…' : 'offline');
  const trouble = problem.value || lookProblem.value;
  return (
    <>
      <header class="top">
        <h1>
          <span class="key" aria-hidden="true" />
          <span id="assistant">{health.value?.assistant ?? 'Passepartout'}</span>
        </h1>
        <p id="status" role="status">
          <Badge word={status} />
        </p>
        {isOpen && <Links />}
        {isOpen && <Switches />}
      </header>
      <main ref={main} tabIndex={-1}>
        <p class="problem" id="problem" role="alert" hidden={trouble === ''}>
          {trouble}
        </p>
        {losses.value.map((loss) => (
          <p key={loss} class="problem" role="status">
            {loss}
          </p>
        ))}
        {isOpen ? roots.value !== undefined && VIEWS[shownView()].show() : <Door />}
      </main>
    </>
  );
};

/** A tab that nobody looks at says by its title, and if it may by a notification, what waits. */
let before = 0;
effect(() => {
  const count = waiting.value.length;
  document.title = count === 0 ? 'Passepartout' : `(${count}) Passepartout`;
  const mayNotify = document.hidden && 'Notification' in window && Notification.permission === 'granted';
  if (count > before && mayNotify) new Notification('Passepartout', { body: `${count} wait for your yes` });
  before = count;
});

let conversation = route.value.join('/');
effect(() => {
  const address = route.value.join('/');
  if (address === conversation) return;
  conversation = address;
  turns.value = undefined;
  lookSoon();
});

const app = document.getElementById('app');
if (app !== null) render(<Frame />, app);
startLooking();
