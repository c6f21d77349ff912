/** The first view: things that run, that happened meanwhile, and that are allowed. */
import { signal } from '@preact/signals';
import type { StoppedSessionView } from '../../views.ts';
import { Decisions, outcomeOf } from './decision.tsx';
import { Button, Card, clock, Outside } from './parts.tsx';
import { to } from './route.ts';
import { post } from './server.ts';
import { grants, isApprover, jobs, lookAtChange, RUNNING, roots, stopped } from './state.ts';
import { isNumber, readStored } from './stored.ts';

const JOBS_SHOWN = 3;
const SEEN = 'passepartout-seen';

const loadSeen = (): number => {
  const stored = readStored(localStorage, {
    ...{ name: SEEN, isWhole: isNumber },
    loss: 'The moment up to which you had seen everything was damaged and is gone: “While you were away” begins now.',
  });
  if (stored !== undefined) return stored;
  localStorage.setItem(SEEN, String(Date.now()));
  return Date.now();
};

/** Epoch milliseconds: what came before was marked as seen. */
const seenAt = signal(loadSeen());

/** Turns that others caused, and moments that jobs missed. Messages of a console are in Talk. */
export const Away = () => {
  const news = roots.value?.filter(
    ({ receivedAt, source, state }) => receivedAt > seenAt.value && source !== 'console' && !RUNNING.includes(state),
  );
  const counts = [...Map.groupBy(news ?? [], outcomeOf)];
  return (
    <Card title="While you were away" id="away">
      {counts.length > 0 && <p>{counts.map(([outcome, those]) => `${those.length} ${outcome}`).join(', ')}</p>}
      <Decisions of={news} none={`Nothing since ${clock(seenAt.value)}.`} />
      {counts.length > 0 && (
        <div class="row">
          <Button
            label="Mark as seen"
            onPress={() => {
              seenAt.value = Date.now();
              localStorage.setItem(SEEN, String(seenAt.value));
            }}
          />
        </div>
      )}
    </Card>
  );
};

export const Running = () => {
  const next = jobs.value
    .filter(({ nextAt }) => nextAt !== undefined)
    .sort((one, other) => (one.nextAt ?? 0) - (other.nextAt ?? 0));
  return (
    <Card title="Running now" id="running">
      <Decisions of={roots.value?.filter(({ state }) => RUNNING.includes(state))} none="Nothing is being worked on." />
      {next.length > 0 && <h3>Next</h3>}
      <ul>
        {next.slice(0, JOBS_SHOWN).map(({ name, nextAt = 0 }) => (
          <li key={name}>
            {clock(nextAt)} · <a href={to('jobs')}>{name}</a>
          </li>
        ))}
      </ul>
    </Card>
  );
};

const change = async (path: string, body: object): Promise<void> => {
  await post(path, body);
  lookAtChange();
};

export const Grants = () => (
  <Card title="Allowed without asking" id="grants">
    <ul class="grants">
      {grants.value.map(({ id, description }) => (
        <li key={id}>
          <Outside text={description} />
          {isApprover.value && (
            <div class="row">
              <Button label="Revoke" kind="danger" onPress={() => change('/api/revoke', { grant: id })} />
            </div>
          )}
        </li>
      ))}
    </ul>
    {grants.value.length === 0 && <p class="empty">Nothing beyond single approvals.</p>}
  </Card>
);

const CAUSES: Readonly<Record<StoppedSessionView['because'], string>> = {
  asked: 'somebody there asked for it',
  blocks: 'too many of its actions were blocked within an hour',
  approvals: 'it asked for one more approval than people can look through',
};

export const Stopped = () => {
  if (stopped.value.length === 0) return null;
  return (
    <Card title="Stopped conversations" id="stopped">
      <ul class="approvals">
        {stopped.value.map(({ session, because, stoppedAt, signalId }) => (
          <li key={session}>
            <p>
              <strong>{session}</strong> · stopped at {clock(stoppedAt)}
            </p>
            <p class="soft">
              Because {CAUSES[because]}. What was still to be done there is refused.{' '}
              <a href={to('decisions', signalId)}>Why it was stopped</a>
            </p>
            {isApprover.value ? (
              <div class="row">
                <Button label="Resume" kind="primary" onPress={() => change('/api/resume', { session })} />
              </div>
            ) : (
              <p class="soft">Resuming needs the token of an approver.</p>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
};
