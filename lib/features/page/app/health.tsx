/** Shows the state of the stack, the faults with their remedies, and the costs. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { onReadersClock } from '../../../core/channels/moments.ts';
import { duration, phrase } from './language.ts';
import { Button, Card, Facts, Lines, Marked, Words } from './parts.tsx';
import { attempt, get } from './server.ts';
import { health, isApprover, news } from './state.ts';

const describeHeartbeat = (seconds: number | null): string =>
  seconds === null ? phrase('noHeartbeat') : phrase('ago')(duration(seconds * 1000));

export const Health = () => {
  const { reasons = [], checks, release } = health.value ?? {};
  if (checks === undefined) return null;
  const newer = release?.newer === undefined ? [] : [phrase('newerRelease')(release.newer)];
  return (
    <Card title={phrase('whatRuns')} id="health">
      {reasons.length > 0 && <Lines lines={reasons.map((line) => onReadersClock(line, Date.now()))} />}
      <Facts
        rows={[
          [phrase('models'), checks.models.join(', ') || phrase('none')],
          ['Telegram', <Words key="telegram" text={checks.telegram ?? 'off'} />],
          [phrase('store'), <Words key="store" text={checks.table} />],
          [phrase('heartbeat'), describeHeartbeat(checks.heartbeatAgeSeconds)],
          [phrase('killSwitch'), checks.isStopped === true ? phrase('killSwitchOn') : phrase('off')],
          [phrase('thisToken'), isApprover.value ? phrase('ofApprover') : phrase('ofScript')],
          [phrase('release'), [release?.version ?? '', ...newer].join(' · ')],
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
  /** Its lines are of code alone, so their times are shown on the reader's clock. */
  readonly isOfCode?: boolean;
}

/** The lines that an operation answers with. */
export const Answer = ({ title, id, path, isLive = false, isOfCode = false }: AnswerProps) => {
  const lines = useSignal<readonly string[] | undefined>(undefined);
  const load = async (): Promise<void> => {
    try {
      lines.value = (await get<{ lines: readonly string[] }>(path)).lines;
    } finally {
      lines.value ??= [];
    }
  };
  useEffect(() => void attempt(load), [path, isLive && news.value]);
  return (
    <Card title={title} id={id}>
      {lines.value === undefined ? (
        <p class="empty">{phrase('asking')}</p>
      ) : (
        <Lines lines={isOfCode ? lines.value.map((line) => onReadersClock(line, Date.now())) : lines.value} />
      )}
      <div class="row">
        <Button label={phrase('askAgain')} onPress={load} />
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
    <Card title={phrase('spentToday')} id="budget">
      <meter min={0} max={Math.max(1, committed + left)} value={committed} aria-label={phrase('shareSpent')} />
      <Lines lines={lines.map((line) => onReadersClock(line, Date.now()))} />
    </Card>
  );
};

const isNotifying = (): boolean => 'Notification' in window && Notification.permission === 'granted';

const Notify = () => {
  const isOn = useSignal(isNotifying());
  if (!('Notification' in window)) return null;
  return (
    <Card title={phrase('notifications')} id="notifications">
      {isOn.value ? (
        <p>{phrase('notifies')}</p>
      ) : (
        <Button
          label={phrase('notify')}
          onPress={async () => {
            isOn.value = (await Notification.requestPermission()) === 'granted';
          }}
        />
      )}
    </Card>
  );
};

const OtherWays = () => (
  <Card title={phrase('otherWays')} id="ways">
    <Marked source={phrase('inTerminal')} />
    <Marked source={phrase('fromScript')} />
    <Marked source={phrase('fromTelegram')} />
  </Card>
);

export const HealthPage = () => (
  <div class="columns">
    <div>
      <Answer title={phrase('doctor')} id="doctor" isOfCode path="/api/doctor" />
      <Health />
      <Notify />
    </div>
    <div>
      <Today />
      <Answer title={phrase('costOfWeek')} id="cost" path="/api/cost?period=week" />
      <OtherWays />
    </div>
  </div>
);
