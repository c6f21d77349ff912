/**
 * The day at a glance: one sentence, and spending, latency and events as small drawings, each with
 * its table. The numbers come from one bounded answer of the server.
 */
import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { titleOf } from '../../../core/edge/console/list-words.ts';
import type { ShownFigures } from '../../../core/wings/approvals/operations.ts';
import type { Figures } from '../shown-figures.ts';
import { clock, dayName, duration, money, phrase, sentenceOf } from './language.ts';
import { Card } from './parts.tsx';
import { attempt, get, query } from './server.ts';
import { news } from './state.ts';
import { waiting } from './waiting.tsx';

/** Between two requests, though more has happened. */
const PAUSE_MS = 30_000;
/** A week is read for it, and changes little. */
const WEEK_PAUSE_MS = 600_000;
const EVENTS_NAMED = 3;

const figures = signal<Figures | undefined>(undefined);
const week = signal<ShownFigures | undefined>(undefined);
let askedAt = 0;
let weekAskedAt = 0;

const loadWeek = async (): Promise<void> => {
  if (Date.now() - weekAskedAt < WEEK_PAUSE_MS) return;
  weekAskedAt = Date.now();
  week.value = await get<ShownFigures>('/api/questions');
};

const load = async (): Promise<void> => {
  if (Date.now() - askedAt < PAUSE_MS) return;
  askedAt = Date.now();
  const from = String(new Date().setHours(0, 0, 0, 0));
  figures.value = await get<Figures>(`/api/figures${query({ from })}`);
};

/** `pull request`, of `pull_request.opened` */
const kindOf = (event: string): string => (event.split('.')[0] ?? event).replaceAll(/[_-]/g, ' ');

const partsOf = ({ events, runs, answered, jobs, failed, days }: Figures): readonly string[] => {
  const kinds = [...Map.groupBy(events, ({ event }) => kindOf(event))].map(
    ([kind, those]) => [kind, those.reduce((sum, { count }) => sum + count, 0)] as const,
  );
  const named = kinds.slice(0, EVENTS_NAMED);
  const others = kinds.slice(EVENTS_NAMED).reduce((sum, [, count]) => sum + count, 0);
  const usd = days.at(-1)?.usd ?? 0;
  return [
    ...named.map(([kind, count]) => phrase('someEvents')(count, kind)),
    ...(others > 0 ? [phrase('otherEvents')(others)] : []),
    ...runs.map(({ runbook, count }) => phrase('runsDone')(count, titleOf(runbook))),
    ...(jobs > 0 ? [phrase('jobsRan')(jobs)] : []),
    ...(answered > 0 ? [phrase('answered')(answered)] : []),
    ...(failed > 0 ? [phrase('someFailed')(failed)] : []),
    waiting.value.length === 0 ? phrase('nothingWaits') : phrase('someWait')(waiting.value.length),
    phrase('moneyToday')(money(Math.round(usd / 10_000) * 10_000)),
  ];
};

/** The first words of Home. */
export const Today = () => {
  useEffect(() => {
    void attempt(load);
    void attempt(loadWeek);
  }, [news.value]);
  if (figures.value === undefined) return null;
  return (
    <p id="today" class="sentence">
      {sentenceOf(partsOf(figures.value))}
      {figures.value.isCut && ` ${phrase('andMore')}`}
    </p>
  );
};

const HEIGHT = 48;
const WIDTH = 240;
const GAP = 1;

interface Bar {
  readonly name: string;
  readonly value: number;
  readonly shown: string;
}

interface DrawingProps {
  readonly title: string;
  readonly about: string;
  readonly heads: readonly [string, string];
  readonly bars: readonly Bar[];
  /** Of the bars' names; the page's if absent. */
  readonly lang?: string;
}

const Drawing = ({ title, about, heads, bars, lang }: DrawingProps) => {
  const isOpen = useSignal(false);
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const step = WIDTH / Math.max(1, bars.length);
  return (
    <figure>
      <figcaption>
        {title} <span class="soft">{about}</span>
      </figcaption>
      {bars.length > 0 && (
        <>
          <svg
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={`${title}: ${about}`}
          >
            {bars.map(({ name, value }, n) => {
              const height = value === 0 ? 1 : Math.max(2, (HEIGHT * value) / most);
              return (
                <rect key={name} x={n * step} y={HEIGHT - height} width={Math.max(1, step - GAP)} height={height} />
              );
            })}
          </svg>
          <details
            open={isOpen.value}
            onToggle={({ currentTarget }) => {
              isOpen.value = currentTarget.open;
            }}
          >
            <summary>{phrase('asTable')}</summary>
            {isOpen.value && (
              <table>
                <thead>
                  <tr>
                    {heads.map((head) => (
                      <th key={head}>{head}</th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {bars.map(({ name, shown }) => (
                    <tr key={name}>
                      <th scope="row" lang={lang}>
                        {name}
                      </th>
                      <td>{shown}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
          </details>
        </>
      )}
    </figure>
  );
};

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** How often a person was asked in a week, by tool: the most quick yeses first. */
const Questions = ({ asked, quick, aTask, aDay, aHundredCalls, rows }: ShownFigures) => (
  <Drawing
    title={phrase('questions')}
    about={`${phrase('inWeekAsked')(asked, quick)}; ${phrase('askedRates')(aTask, aDay, aHundredCalls)}`}
    heads={[phrase('tool'), phrase('questions')]}
    lang=""
    bars={rows.map(({ tool = phrase('aText'), decider = phrase('nobody'), ...row }) => ({
      name: `${tool}, ${decider}`,
      value: row.asked,
      shown: phrase('answersTo')(row.asked, row.yes, row.quick),
    }))}
  />
);

export const Drawings = () => {
  if (figures.value === undefined) return null;
  const { days, hours, latency, isDayCut } = figures.value;
  const spent = days.reduce((sum, { usd }) => sum + usd, 0);
  const events = hours.reduce((sum, { count }) => sum + count, 0);
  return (
    <Card title={phrase('inFigures')} id="figures">
      <div class="figures">
        <Drawing
          title={phrase('spending')}
          about={phrase('inWeek')(money(spent))}
          heads={[phrase('day'), phrase('spending')]}
          bars={days.map(({ day, usd }) => ({ name: dayName(day), value: usd, shown: money(usd) }))}
        />
        <Drawing
          title={phrase('latency')}
          about={
            latency.length === 0 ? phrase('nothing') : phrase('medianOf')(duration(median(latency.map(({ ms }) => ms))))
          }
          heads={[phrase('when'), phrase('took')]}
          bars={latency.map(({ id, at, ms }, n) => ({
            name: `${clock(at)}${latency.some((one) => one.id !== id && clock(one.at) === clock(at)) ? ` (${n + 1})` : ''}`,
            value: ms,
            shown: duration(ms),
          }))}
        />
        <Drawing
          title={phrase('events')}
          about={phrase('inDay')(events)}
          heads={[phrase('when'), phrase('events')]}
          bars={hours.map(({ at, count }) => ({ name: clock(at), value: count, shown: String(count) }))}
        />
        {week.value !== undefined && <Questions {...week.value} />}
      </div>
      {isDayCut && <p class="soft">{phrase('andMore')}</p>}
    </Card>
  );
};
