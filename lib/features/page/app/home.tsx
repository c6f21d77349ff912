/** The first view: things that run, that happened meanwhile, and that are allowed. */
import { signal } from '@preact/signals';
import { shownOutcome } from '../../../core/edge/console/list-words.ts';
import { Decisions } from './decision.tsx';
import { clock, phrase, stateWord } from './language.ts';
import { Button, Card, Outside } from './parts.tsx';
import { to } from './route.ts';
import { post } from './server.ts';
import { grants, isApprover, jobs, lookAtChange, RUNNING, roots, stopped } from './state.ts';
import { isNumber, readStored } from './stored.ts';

const JOBS_SHOWN = 3;
const SEEN = 'passepartout-seen';

const loadSeen = (): number => {
  const stored = readStored(localStorage, {
    ...{ name: SEEN, isWhole: isNumber },
    loss: 'lostSeen',
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
  const counts = [...Map.groupBy(news ?? [], shownOutcome)];
  return (
    <Card title={phrase('away')} id="away">
      {counts.length > 0 && (
        <p>{counts.map(([outcome, those]) => `${those.length} ${stateWord(outcome)}`).join(', ')}</p>
      )}
      <Decisions of={news} none={phrase('nothingSince')(clock(seenAt.value))} />
      {counts.length > 0 && (
        <div class="row">
          <Button
            label={phrase('markSeen')}
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
    <Card title={phrase('running')} id="running">
      <Decisions of={roots.value?.filter(({ state }) => RUNNING.includes(state))} none={phrase('nothingRuns')} />
      {next.length > 0 && <h3>{phrase('next')}</h3>}
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
  <Card title={phrase('grants')} id="grants">
    <ul class="grants">
      {grants.value.map(({ id, description }) => (
        <li key={id}>
          <Outside text={description} lang="en" />
          {isApprover.value && (
            <div class="row">
              <Button label={phrase('revoke')} kind="danger" onPress={() => change('/api/revoke', { grant: id })} />
            </div>
          )}
        </li>
      ))}
    </ul>
    {grants.value.length === 0 && <p class="empty">{phrase('noGrants')}</p>}
  </Card>
);

const CAUSES = { asked: 'stoppedAsked', blocks: 'stoppedBlocks', approvals: 'stoppedApprovals' } as const;

export const Stopped = () => {
  if (stopped.value.length === 0) return null;
  return (
    <Card title={phrase('stopped')} id="stopped">
      <ul class="approvals">
        {stopped.value.map(({ session, because, stoppedAt, signalId }) => (
          <li key={session}>
            <p>
              <strong>{session}</strong> · {phrase('stoppedAt')(clock(stoppedAt))}
            </p>
            <p class="soft">
              {phrase(CAUSES[because])} <a href={to('decisions', signalId)}>{phrase('whyStopped')}</a>
            </p>
            {isApprover.value ? (
              <div class="row">
                <Button label={phrase('resume')} kind="primary" onPress={() => change('/api/resume', { session })} />
              </div>
            ) : (
              <p class="soft">{phrase('resumingNeeds')}</p>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
};
