/**
 * How occurrences ended: why some never ran, what servers received of the others, and when a job
 * was paused because it kept failing.
 */
import {
  type Job,
  type JobsRule,
  type JobsRun,
  mayBeStopped,
  nameOf,
  type Occurrence,
  type Seen,
  timeText,
  type Version,
  versionOf,
} from './jobs-view.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A run that waits for a person ends within this time. */
const OPEN_MS_MAX = 2.5 * HOUR_MS;

/**
 * It was under way at a moment before the other was written, by the times that the export has. The
 * job of an event is read after the event came, and before that is written.
 */
const wasOpen = ({ kind, instant, at }: Occurrence, one: Occurrence): boolean =>
  one.hasRun && one.at <= at && (one.closedAt === undefined || one.closedAt >= (kind === 'event' ? instant : at));

const checkSkipped = (run: JobsRun, job: Job, one: Occurrence, version: Version | undefined): boolean => {
  switch (one.why) {
    case 'the run before it has not ended':
      return (
        version?.definition.overlap === 'skip' && job.occurrences.some((other) => other !== one && wasOpen(one, other))
      );
    case 'everything was stopped':
      return mayBeStopped(run, one.at, one.at);
    case 'the job was changed before it started':
      return job.versions.some(({ from }) => from === one.at);
    default:
      return false;
  }
};

/** How late an occurrence was when it was written: it has a place of its own in the spread. */
const lateness = ({ at, instant }: Occurrence, spreadMs: number) => ({
  least: at - instant - spreadMs,
  most: at - instant,
});

/** The occurrences that one tick wrote for a job, the oldest first. */
const checkTick = (version: Version, list: readonly Occurrence[]): readonly string[] => {
  const { catchUp, spreadMs } = version.definition;
  const wrong: string[] = [];
  const isMissed = ({ state }: Occurrence): boolean => state === 'missed';
  const taken = list.filter((one) => !isMissed(one));
  if (taken.length > catchUp.runs)
    wrong.push(`${version.id} starts ${taken.length} runs at ${timeText(list[0]?.at ?? 0)}`);
  for (const one of taken)
    if (lateness(one, spreadMs).least > catchUp.windowMs) wrong.push(`${nameOf(one)} began after its time was over`);
  for (const [n, one] of list.entries()) {
    if (!isMissed(one) || lateness(one, spreadMs).most > catchUp.windowMs) continue;
    const newer = list.slice(n + 1).filter((other) => lateness(other, spreadMs).least <= catchUp.windowMs);
    if (newer.length < catchUp.runs) wrong.push(`${nameOf(one)} was left out, and there was time for it`);
  }
  return wrong;
};

const checkPolicy = (run: JobsRun, job: Job): readonly string[] => {
  const ofRule = job.occurrences.filter(({ kind }) => kind === 'rule');
  const isChanged = ({ why }: Occurrence): boolean => why === 'the job was changed before it started';
  const ticks = Map.groupBy(
    ofRule.filter((one) => !isChanged(one)),
    ({ at, version }) => `${version} ${at}`,
  );
  const wrong: string[] = [];
  for (const one of job.occurrences) {
    if (one.state === 'missed' && one.why === '') wrong.push(`${nameOf(one)} does not say why`);
    if (one.state === 'skipped' && !checkSkipped(run, job, one, versionOf(job, one)))
      wrong.push(`${nameOf(one)} says “${one.why}”, and that is not so`);
  }
  for (const list of ticks.values()) {
    const version = list[0] === undefined ? undefined : versionOf(job, list[0]);
    if (version !== undefined) wrong.push(...checkTick(version, list));
  }
  return [...wrong, ...checkOverlap(job)];
};

const checkOverlap = (job: Job): readonly string[] => {
  const runs = job.occurrences.filter(({ hasRun, kind }) => hasRun && kind !== 'run').toSorted((a, b) => a.at - b.at);
  return runs.flatMap((one, n) => {
    if (versionOf(job, one)?.definition.overlap !== 'skip') return [];
    const before = runs
      .slice(0, n)
      .some(({ at, closedAt }) => at < one.at && (closedAt ?? Number.POSITIVE_INFINITY) > one.at);
    return before ? [`${nameOf(one)} began while the run before it was under way`] : [];
  });
};

export const policy: JobsRule = {
  name: 'job-policy',
  promise: 'What did not run was left out by the job’s own rules, and says why; what ran was allowed to.',
  check: (run) => run.jobs.flatMap((job) => checkPolicy(run, job)),
};

/** A run that may have sent a text to a destination; `must` if it says that it did. */
interface Sender {
  readonly one: Occurrence;
  readonly must: boolean;
}

const KEPT: readonly string[] = ['fired', 'late'];

const sendersTo = (job: Job, to: string): readonly Sender[] =>
  job.occurrences.flatMap((one): readonly Sender[] => {
    const definition = versionOf(job, one)?.definition;
    if (!one.hasRun || definition?.text === undefined || !definition.to.includes(to)) return [];
    // A text that was not promised may be missing.
    const isPromised = definition.fields.promises === 'reply';
    return [{ one, must: isPromised && KEPT.includes(one.state) && one.closedAt !== undefined }];
  });

const isWithin = ({ at }: Seen, { one }: Sender, skewMs: number): boolean =>
  at >= one.at - skewMs && at <= (one.closedAt ?? Number.POSITIVE_INFINITY) + skewMs;

/** Each text takes the run that ends first of those that may have sent it. */
const checkTexts = (job: Job, to: string, texts: readonly Seen[], skewMs: number): readonly string[] => {
  const left = sendersTo(job, to).toSorted((a, b) => (a.one.closedAt ?? 0) - (b.one.closedAt ?? 0));
  const wrong: string[] = [];
  for (const text of texts) {
    const fits = left.filter((sender) => isWithin(text, sender, skewMs));
    const sender = fits.find(({ must }) => must) ?? fits[0];
    if (sender === undefined)
      wrong.push(`${to} got “${text.text.slice(0, 40)}” at ${timeText(text.at)} from no run of ${job.name}`);
    else left.splice(left.indexOf(sender), 1);
  }
  for (const { one, must } of left) if (must) wrong.push(`${nameOf(one)} says that it ran, and ${to} got nothing`);
  return wrong;
};

export const seenOnce: JobsRule = {
  name: 'job-seen',
  promise: 'Each run that says it ended well was seen once at each of its destinations, and nothing else was seen.',
  check: ({ jobs, seen, observed: { skewMs } }) => {
    const byTo = Map.groupBy(seen, ({ to }) => to);
    return jobs.flatMap((job) => {
      const texts = new Set(job.versions.flatMap(({ definition: { text } }) => (text === undefined ? [] : [text])));
      const isOwn = ({ to, text }: Seen): boolean =>
        [...texts].some((own) => (to.startsWith('webhook') ? text.includes(`"${own}"`) : text === own));
      return [...byTo].flatMap(([to, list]) => checkTexts(job, to, list.filter(isOwn), skewMs));
    });
  },
};

export const closed: JobsRule = {
  name: 'job-closed',
  promise: 'Each run ends, and says when.',
  check: ({ jobs, exportedAt, observed: { isUnfinished, skewMs } }) => [
    ...(isUnfinished ? ['messages were still under way at the end'] : []),
    ...jobs.flatMap(({ occurrences }) =>
      occurrences
        .filter(({ at, closedAt }) =>
          closedAt === undefined ? at < exportedAt - OPEN_MS_MAX : closedAt < at - 2 * skewMs,
        )
        .map((one) => `${nameOf(one)} began at ${timeText(one.at)} and has no end`),
    ),
  ],
};

/** It counts for no pause. */
const wasStopped = ({ state, why }: Occurrence): boolean =>
  state === 'stopped' || (state === 'failed' && why.startsWith('everything was stopped: '));

/** Versions made and runs closed at one moment. One tick closes several, in no visible order. */
interface Moment {
  readonly at: number;
  readonly good: number;
  readonly bad: number;
  readonly version: Version | undefined;
}

const momentsOfEnds = ({ versions, occurrences }: Job): readonly Moment[] => {
  const ends = Map.groupBy(
    occurrences.filter((one) => one.hasRun && one.closedAt !== undefined && !wasStopped(one)),
    ({ closedAt }) => closedAt ?? 0,
  );
  const times = new Set([...ends.keys(), ...versions.map(({ from }) => from)]);
  return [...times]
    .sort((a, b) => a - b)
    .map((at) => {
      const all = ends.get(at) ?? [];
      const good = all.filter(({ state }) => KEPT.includes(state)).length;
      return { at, good, bad: all.length - good, version: versions.findLast(({ from }) => from === at) };
    });
};

const checkPauses = (job: Job): readonly string[] => {
  const wrong: string[] = [];
  /** Failures in a row, at least and at most. */
  let [least, most] = [0, 0];
  let pauseAfter = Number.POSITIVE_INFINITY;
  for (const { at, good, bad, version } of momentsOfEnds(job)) {
    [least, most] = good > 0 ? [0, most + bad] : [least + bad, most + bad];
    if (version === undefined) {
      if (least >= pauseAfter) wrong.push(`${job.name} failed ${least} times by ${timeText(at)} and was not paused`);
      continue;
    }
    const isOwn = version.by === 'system' && version.state === 'paused';
    if (isOwn && most < pauseAfter)
      wrong.push(`${version.id} pauses the job after ${most} failures, not ${pauseAfter}`);
    [least, most] = [0, bad];
    pauseAfter =
      version.state === 'active' && version.definition.pauseAfter > 0
        ? version.definition.pauseAfter
        : Number.POSITIVE_INFINITY;
  }
  return wrong;
};

export const paused: JobsRule = {
  name: 'job-paused',
  promise: 'A job is paused by itself after so many failures in a row, and not otherwise.',
  check: ({ jobs }) => jobs.flatMap(checkPauses),
};
