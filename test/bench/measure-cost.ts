/**
 * Requests and units of a plain turn, and what a million turns cost on AWS at list price without
 * the model: counted units and requests times prices; Lambda's time from the counted requests at
 * assumed latencies, the processor time measured here scaled to the function's memory, and the
 * assumed wait for the model. What an idle month costs is named apart.
 */
import { FUNCTIONS, specOf } from '../../infra/functions.ts';
import { loadTemplate } from '../../infra/local/load-build.ts';
import { type Counted, countTurns, type TurnCounts } from './count-turn.ts';
import type { Measure, MeasureContext } from './measure.ts';
import { ASSUMED, PRICES, PRICES_AS_OF } from './prices.ts';
import type { Row } from './report.ts';

const MILLION = 1_000_000;
const GB_MB = 1_024;
const REASON_MB_MIN = 128;
const DYNAMO_REQUESTS_MAX = 12;
const WRITE_UNITS_MAX = 14;
const READ_UNITS_MAX = 20;
const LOG_REQUESTS_MAX = 12;
const SQS_REQUESTS_MAX = 9;
const MILLION_TURNS_DOLLARS_MAX = 20;

/**
 * Which requests of a plain turn each function makes: by the order of the pipeline, checked against
 * the count of all. `together` are those that run beside another one and are not waited for.
 */
const SHARES = {
  console: { dynamo: 1, together: 0, sqs: 1, waitMs: 0 },
  perceive: { dynamo: 2, together: 0, sqs: 1, waitMs: 0 },
  reason: { dynamo: 7, together: 3, sqs: 1, waitMs: ASSUMED.modelWaitMs },
  act: { dynamo: 6, together: 2, sqs: 0, waitMs: 0 },
} as const;

export interface TurnCost {
  readonly dynamo: number;
  readonly sqs: number;
  readonly lambda: number;
  readonly logs: number;
  readonly total: number;
}

/** The local stack's threads that run functions. */
const FUNCTION_THREADS = ['front', 'work', 'act'] as const;
const processorMsOf = ({ processorMs }: TurnCounts): number =>
  FUNCTION_THREADS.reduce((sum, name) => sum + (processorMs[name] ?? 0), 0);

/** Dollars of one console turn. Pure. @param reasonMb memory of Reason */
export const costOfTurn = (counts: TurnCounts, reasonMb: number): TurnCost => {
  const shares = Object.entries(SHARES);
  // A processor's time costs the same whatever share of it a function has.
  let lambda = (processorMsOf(counts) / 1000) * (ASSUMED.mbPerProcessor / GB_MB) * PRICES.lambdaGbSecond;
  for (const [name, share] of shares) {
    const memoryMb = name === 'reason' ? reasonMb : FUNCTIONS[name as keyof typeof SHARES].memoryMb;
    const requestsMs = (share.dynamo - share.together) * ASSUMED.dynamoRequestMs + share.sqs * ASSUMED.sqsRequestMs;
    const gbSeconds = ((requestsMs + share.waitMs) / 1000) * (memoryMb / GB_MB);
    lambda += gbSeconds * PRICES.lambdaGbSecond + PRICES.lambdaRequest;
  }
  const dynamo = counts.writeUnits * PRICES.dynamoWriteUnit + counts.readUnits * PRICES.dynamoReadUnit;
  const sqs = counts.sqsRequests * PRICES.sqsRequest;
  const logs = ((counts.logBytes + shares.length * ASSUMED.platformLogBytes) / 1e9) * PRICES.logGb;
  return { dynamo, sqs, lambda, logs, total: dynamo + sqs + lambda + logs };
};

const describeCounts = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${Number(count.toFixed(2))} ${name}`)
    .join(', ');

const countRows = (source: string, counts: TurnCounts): readonly Row[] => {
  const group = `requests of a plain turn from ${source}, with full history`;
  const { EmptyReceive: _idle, ...sqs } = counts.sqs;
  return [
    {
      group,
      name: 'DynamoDB requests',
      value: counts.dynamoRequests,
      unit: '',
      goal: { is: '≤', value: DYNAMO_REQUESTS_MAX },
      note: describeCounts(counts.dynamo),
    },
    {
      group,
      name: 'DynamoDB write units',
      value: counts.writeUnits,
      unit: '',
      goal: { is: '≤', value: WRITE_UNITS_MAX },
      note: 'index entries included',
    },
    {
      group,
      name: 'DynamoDB read units',
      value: counts.readUnits,
      unit: '',
      goal: { is: '≤', value: READ_UNITS_MAX },
    },
    {
      group,
      name: 'SQS requests',
      value: counts.sqsRequests,
      unit: '',
      goal: { is: '≤', value: SQS_REQUESTS_MAX },
      note: `${describeCounts(sqs)}; ${Number((counts.sqs.EmptyReceive ?? 0).toFixed(2))} of the receives empty and not counted`,
    },
  ];
};

/** The day's counter is one item: what it costs to write must not depend on how many have spent. */
const crowdRows = ({ console: alone, crowded }: Pick<Counted, 'console' | 'crowded'>): readonly Row[] =>
  [{ conversations: 1, counts: alone }, ...crowded].map(({ conversations, counts }) => ({
    group: 'a plain turn, by conversations that day',
    name: `DynamoDB write units, ${conversations} ${conversations === 1 ? 'conversation' : 'conversations'}`,
    value: counts.writeUnits,
    unit: '',
    goal: { is: '≤', value: WRITE_UNITS_MAX },
    note: `${counts.dynamoRequests.toFixed(1)} requests${conversations === 1 ? '' : ', the first turn of a conversation'}`,
  }));

const costRows = (counts: TurnCounts): readonly Row[] => {
  const group = `AWS cost of a million console turns without the model (${PRICES_AS_OF}, model wait ${ASSUMED.modelWaitMs / 1000} s)`;
  const goal = { is: '≤', value: MILLION_TURNS_DOLLARS_MAX } as const;
  const own = FUNCTIONS.reason.memoryMb;
  return [own, REASON_MB_MIN].map((memoryMb): Row => {
    const cost = costOfTurn(counts, memoryMb);
    const part = (dollars: number): string => (dollars * MILLION).toFixed(2);
    const note = `DynamoDB ${part(cost.dynamo)}, SQS ${part(cost.sqs)}, Lambda ${part(cost.lambda)}, logs ${part(cost.logs)}`;
    return {
      group,
      name: `Reason ${memoryMb} MB${memoryMb === own ? ' (template)' : ''}`,
      value: cost.total * MILLION,
      unit: '$',
      goal,
      note,
    };
  });
};

/** Beside the turn, in the minute after it. */
const logRows = ({ many, alone }: Counted['log']): readonly Row[] => {
  const group = 'the evidence log, per turn, beside it';
  const dollars = (counts: TurnCounts): number =>
    (counts.writeUnits * PRICES.dynamoWriteUnit +
      counts.readUnits * PRICES.dynamoReadUnit +
      counts.sqsRequests * PRICES.sqsRequest) *
    MILLION;
  return [many, alone].flatMap((counts, at): readonly Row[] => {
    const name = at === 0 ? '88 turns in one minute' : 'a turn alone in its minute';
    return [
      {
        group,
        name: `requests, ${name}`,
        value: counts.dynamoRequests,
        unit: '',
        goal: { is: '≤', value: LOG_REQUESTS_MAX },
        note: describeCounts(counts.dynamo),
      },
      { group, name: `write units, ${name}`, value: counts.writeUnits, unit: '' },
      {
        group,
        name: `DynamoDB and SQS of a million, ${name}`,
        value: dollars(counts),
        unit: '$',
        note: `${counts.readUnits.toFixed(1)} read units`,
      },
    ];
  });
};

/** A tick's message comes back once. */
const LOG_RUNS_A_TICK = 2;

const RUNNER_MONTH_DOLLARS_MAX = 0.1;
/** Its record is read three times, and written in a transaction, which costs twice. */
const OPEN_READ_UNITS = 3;
const OPEN_WRITE_UNITS = 4;

/** Dollars of a month of one machine that runs and gets no job. Pure. */
export const costOfIdleRunner = (): { readonly polls: number; readonly opens: number } => {
  const { runnerPollsPerMinute, runnerOpensPerMinute, runnerOpenMs, minutesPerMonth } = ASSUMED;
  const gbSeconds = (runnerOpenMs / 1000) * (specOf('runner').memoryMb / GB_MB);
  const open =
    PRICES.lambdaRequest +
    gbSeconds * PRICES.lambdaGbSecond +
    OPEN_READ_UNITS * PRICES.dynamoReadUnit +
    OPEN_WRITE_UNITS * PRICES.dynamoWriteUnit;
  return {
    polls: minutesPerMonth * runnerPollsPerMinute * PRICES.sqsRequest,
    opens: minutesPerMonth * runnerOpensPerMinute * open,
  };
};

const runnerRow = (group: string): Row => {
  const { polls, opens } = costOfIdleRunner();
  const note = `polls ${polls.toFixed(3)}, opening its queue ${opens.toFixed(3)}`;
  const goal = { is: '≤', value: RUNNER_MONTH_DOLLARS_MAX } as const;
  return { group, name: 'one machine without jobs', value: polls + opens, unit: '$', goal, note };
};

/** A month in which nobody writes. */
const idleRows = async (context: MeasureContext, tick: TurnCounts): Promise<readonly Row[]> => {
  const template = await loadTemplate({ folder: context.cacheDir }, 'default');
  const countType = (type: string): number =>
    Object.values(template.Resources).filter((resource) => resource.Type === type).length;
  const group = `AWS cost of an idle month (${PRICES_AS_OF}, before free tiers)`;
  const sources = countType('AWS::Lambda::EventSourceMapping');
  const polls = sources * ASSUMED.pollsPerMinute * ASSUMED.minutesPerMonth;
  // All waiting at the price of the larger of the two functions.
  const waitedMs = tick.dynamoRequests * ASSUMED.dynamoRequestMs;
  const gbMs = waitedMs * (specOf('log').memoryMb / GB_MB) + processorMsOf(tick) * (ASSUMED.mbPerProcessor / GB_MB);
  // A poll that brings a message costs as much as one that brings none.
  const tickSqs = tick.sqsRequests - (tick.sqs.ReceiveMessage ?? 0) + (tick.sqs.EmptyReceive ?? 0);
  const tickCost =
    PRICES.schedulerInvocation +
    (1 + LOG_RUNS_A_TICK) * PRICES.lambdaRequest +
    (gbMs / 1000) * PRICES.lambdaGbSecond +
    tickSqs * PRICES.sqsRequest +
    tick.writeUnits * PRICES.dynamoWriteUnit +
    tick.readUnits * PRICES.dynamoReadUnit +
    ((1 + LOG_RUNS_A_TICK) * ASSUMED.platformLogBytes * PRICES.logGb) / 1e9;
  const alarms = countType('AWS::CloudWatch::Alarm');
  const secrets = countType('AWS::SecretsManager::Secret');
  return [
    {
      group,
      name: 'idle polls',
      value: polls * PRICES.sqsRequest,
      unit: '$',
      note: `${sources} queues × ${ASSUMED.pollsPerMinute} a minute = ${(polls / MILLION).toFixed(2)} M requests`,
    },
    {
      group,
      name: "heartbeat and the log's writer",
      value: tickCost * ASSUMED.minutesPerMonth,
      unit: '$',
      note: `each minute: ${describeCounts(tick.dynamo)}; SQS ${tickSqs}`,
    },
    {
      group,
      name: 'alarms and secrets',
      value: alarms * PRICES.alarmMonth + secrets * PRICES.secretMonth,
      unit: '$',
      note: `${alarms} alarms, ${secrets} secrets`,
    },
    runnerRow(group),
  ];
};

/** The skeleton is only honest as long as it asks for the same. */
const skeletonRow = ({ console: real, skeleton }: Pick<Counted, 'console' | 'skeleton'>): Row => {
  const group = 'skeleton against stack, per turn';
  const isSame =
    JSON.stringify([real.dynamo, real.sqsRequests]) === JSON.stringify([skeleton.dynamo, skeleton.sqsRequests]);
  const bytes = `${skeleton.writtenBytes.toFixed(0)} B written, stack ${real.writtenBytes.toFixed(0)} B`;
  const note = isSame
    ? 'the same requests'
    : `DIFFERENT: ${describeCounts(skeleton.dynamo)}; SQS ${skeleton.sqsRequests}`;
  return {
    group,
    name: 'write units of the skeleton',
    value: skeleton.writeUnits,
    unit: '',
    note: `${note}; ${bytes}`,
  };
};

/** The rows of each count are kept at once: a later one may fail on a busy machine. */
export const measureCost: Measure = async (context) => {
  const keepRows = async (part: Partial<Counted>): Promise<void> => {
    const { console: plain, telegram, log, tick, crowded, skeleton } = part;
    if (telegram !== undefined) context.keep(countRows('Telegram', telegram));
    if (log !== undefined) context.keep(logRows(log));
    if (tick !== undefined) context.keep(await idleRows(context, tick));
    if (plain === undefined) return;
    if (crowded !== undefined) context.keep(crowdRows({ console: plain, crowded }));
    if (skeleton !== undefined) return context.keep([skeletonRow({ console: plain, skeleton })]);
    context.keep([...countRows('the console', plain), ...costRows(plain)]);
  };
  const { console: plain } = await countTurns(context, keepRows);
  const assigned = Object.values(SHARES).reduce((sum, share) => sum + share.dynamo, 0);
  if (assigned !== Math.round(plain.dynamoRequests))
    context.progress(
      `cost: a turn makes ${plain.dynamoRequests} DynamoDB requests, the shares of the functions say ${assigned}`,
    );
  return [];
};
