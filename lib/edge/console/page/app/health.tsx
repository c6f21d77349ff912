/** Shows the state of the stack, the faults with their remedies, and the costs. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Button, Card, duration, Facts, Lines } from './parts.tsx';
import { attempt, get } from './server.ts';
import { health, isApprover, news } from './state.ts';

const describeHeartbeat = (seconds: number | null): string =>
  seconds === null ? 'none yet' : `${duration(seconds * 1000)} ago`;

export const Health = () => {
  const { reasons = [], checks, release } = health.value ?? {};
  if (checks === undefined) return null;
  return (
    <Card title="What runs" id="health">
      {reasons.length > 0 && <Lines lines={reasons} />}
      <Facts
        rows={[
          ['Models', checks.models.join(', ') || 'none'],
          ['Telegram', checks.telegram],
          ['Store', checks.table],
          ['Heartbeat', describeHeartbeat(checks.heartbeatAgeSeconds)],
          ['Kill switch', checks.isStopped === true ? 'on: nothing is done' : 'off'],
          ['This token', isApprover.value ? 'approver' : 'of a script: nothing can be changed here'],
          ['Release', release?.version ?? ''],
        ]}
      />
    </Card>
  );
};

interface AnswerProps {
  readonly title: string;
  readonly id: string;
  readonly path: string;
  /** Whether it is asked for again when something happened. */
  readonly isLive?: boolean;
}

/** The lines that an operation answers with. */
export const Answer = ({ title, id, path, isLive = false }: AnswerProps) => {
  const lines = useSignal<readonly string[]>([]);
  const load = async (): Promise<void> => {
    lines.value = (await get<{ lines: readonly string[] }>(path)).lines;
  };
  useEffect(() => void attempt(load), [path, isLive && news.value]);
  return (
    <Card title={title} id={id}>
      <Lines lines={lines.value} />
      <div class="row">
        <Button label="Ask again" onPress={load} />
      </div>
    </Card>
  );
};

interface Budget {
  readonly committed: number;
  readonly left: number;
  readonly lines: readonly string[];
}

const Today = () => {
  const budget = useSignal<Budget | undefined>(undefined);
  useEffect(
    () =>
      void attempt(async () => {
        budget.value = await get<Budget>('/api/budget');
      }),
    [],
  );
  if (budget.value === undefined) return null;
  const { committed, left, lines } = budget.value;
  return (
    <Card title="Spent today" id="budget">
      <meter
        min={0}
        max={Math.max(1, committed + left)}
        value={committed}
        aria-label="Share of today's cap that is spent"
      />
      <Lines lines={lines} />
    </Card>
  );
};

const isNotifying = (): boolean => 'Notification' in window && Notification.permission === 'granted';

const Notify = () => {
  const isOn = useSignal(isNotifying());
  if (!('Notification' in window)) return null;
  return (
    <Card title="Notifications" id="notifications">
      {isOn.value ? (
        <p>This browser tells you when something waits for you, while the page is open in a tab.</p>
      ) : (
        <Button
          label="Tell me when something waits"
          onPress={async () => {
            isOn.value = (await Notification.requestPermission()) === 'granted';
          }}
        />
      )}
    </Card>
  );
};

const OtherWays = () => (
  <Card title="Other ways to talk to it" id="ways">
    <p>
      In a terminal: <code>npx passepartout chat</code>, <code>send "…"</code>, <code>why &lt;signal&gt;</code>,{' '}
      <code>approvals</code>, <code>doctor</code>.
    </p>
    <p>
      From a script: <code>POST /api/messages</code> with <code>{'{"text": "…"}'}</code> and a token of{' '}
      <code>API_TOKENS</code> as <code>Authorization: Bearer …</code>, then <code>GET /api/signals/&lt;id&gt;</code>.
    </p>
    <p>
      From Telegram: <code>npx passepartout pair</code> gives a code; send the bot <code>/pair</code> and the code.
    </p>
  </Card>
);

export const HealthPage = () => (
  <div class="columns">
    <div>
      <Answer title="Doctor" id="doctor" path="/api/doctor" />
      <Health />
      <Notify />
    </div>
    <div>
      <Today />
      <Answer title="Cost of the week" id="cost" path="/api/cost?period=week" />
      <OtherWays />
    </div>
  </div>
);
