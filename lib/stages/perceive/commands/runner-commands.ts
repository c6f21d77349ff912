/**
 * The commands `/runners …`. Each is one call of a tool, which Act performs without asking again,
 * because an approver typed it. Pairing takes the hash of a code that a terminal made: a code that
 * was sent into a chat would stay there.
 */
import { commandNotices } from '../../../judge/command-notices.ts';
import { describeRunnerShortly, timeOfDay } from '../../../runner/describe-runner.ts';
import { parseJobRowItem } from '../../../runner/job-row.ts';
import { RunnerName, readRunners } from '../../../runner/runners.ts';
import { indexPartitions, RUNNER_JOB_PREFIX, runnerKeys } from '../../../store/keys.ts';
import { loadIndexed, loadItem } from '../../../store/load-named.ts';
import { type CodeContext, type Command, type CommandCall, say } from '../code-context.ts';

const USAGE = '/runners list, /runners pause|resume|remove <name>; in a terminal: npx passepartout runners pair <name>';
const PAIR_IN_TERMINAL =
  'the code to pair is a secret, and what is sent here stays here; in a terminal: npx passepartout runners pair';

const parse = (verb: string, name: string, codeHash: string): CommandCall | undefined => {
  if ((verb === '' || verb === 'list') && name === '') return { tool: 'list-runners', args: {} };
  if (!RunnerName.safeParse(name).success) return undefined;
  if (verb === 'pair' && /^[0-9a-f]{64}$/.test(codeHash)) return { tool: 'pair-runner', args: { name, codeHash } };
  const isChange = (verb === 'pause' || verb === 'resume' || verb === 'remove') && codeHash === '';
  return isChange ? { tool: `${verb}-runner`, args: { name } } : undefined;
};

export const runners: Command = (_, rest) => {
  const [verb = '', name = '', codeHash = '', ...more] = rest.toLowerCase().split(/\s+/);
  const call = more.length > 0 ? undefined : parse(verb, name, codeHash);
  if (call !== undefined) return { call };
  return say(
    verb === 'pair' ? commandNotices.notSet(`${PAIR_IN_TERMINAL} ${name || '<name>'}`) : commandNotices.usage(USAGE),
  );
};

/** Of all kinds of jobs that are due or wait, the oldest. */
const ROWS_READ_MAX = 100;

/** The machines as `/status` shows them. */
export const runnerStatusLines = async ({ table, signal, now }: CodeContext): Promise<readonly string[]> => {
  const { runners: all } = readRunners(await loadItem(table, runnerKeys.list(signal.space)));
  if (all.length === 0) return [];
  const partition = indexPartitions.jobs(signal.space);
  const { items } = await loadIndexed(table, { index: 'unfinished', partition, limit: ROWS_READ_MAX });
  const queued = items
    .filter(({ sk }) => String(sk).startsWith(RUNNER_JOB_PREFIX))
    .map(parseJobRowItem)
    .filter(({ state }) => state === 'queued');
  return all.map((runner) => {
    const waiting = queued.filter((row) => row.runner === runner.name).sort((a, b) => a.waitsUntil - b.waitsUntil);
    const [first] = waiting;
    const until =
      first &&
      `; for it ${waiting.length} ${waiting.length === 1 ? 'call waits' : 'calls wait'}, the first until ${timeOfDay(first.waitsUntil)}`;
    return `Machine ${describeRunnerShortly(runner, now)}${until ?? ''}.`;
  });
};
