/**
 * `go-back` puts all functions of a deployed stack on an earlier release, or takes back a deploy
 * that runs. CloudFormation does it, so that the next deploy starts from what is there.
 */

import { MINUTE_MS, SECOND_MS } from '../../../lib/core/base/limits.ts';
import type { StackReleases, StackState } from '../../../lib/core/store/stack-releases.ts';
import { AS_DEPLOYED, BACK_PARAMETER } from '../../releases.ts';
import type { Command, CommandContext } from '../command.ts';
import { type GoBackPlan, planGoBack } from '../plan-go-back.ts';
import { loadDeployed, lookUp } from '../stack.ts';
import { CliError, EXIT, type ExitCode, printable, show } from '../terminal.ts';

/** CloudFormation's states last for minutes, and it refuses callers that ask often. */
const POLL_MS = 5 * SECOND_MS;
/** CloudFormation needs a minute or two; a deploy that is taken back, a few more. */
const END_WAIT_MS = 30 * MINUTE_MS;

const outputOf = ({ outputs }: StackState, name: string): string => {
  const value = outputs.get(name);
  if (value === undefined)
    throw new CliError(
      EXIT.failed,
      `the stack has no output ${name}: it was deployed by a release that keeps no versions`,
      'deploy the earlier commit instead: git checkout <commit> && npm ci && npm run deploy',
    );
  return value;
};

const waitForEnd = async (stack: StackReleases, { terminal, now, sleep }: CommandContext): Promise<StackState> => {
  const until = now() + END_WAIT_MS;
  let said = '';
  while (true) {
    const state = await stack.loadStack();
    if (state.status !== said) terminal.remark(`CloudFormation: ${state.status}`);
    said = state.status;
    if (!state.status.endsWith('_IN_PROGRESS')) return state;
    if (now() > until)
      throw new CliError(EXIT.failed, `CloudFormation has not ended in time: ${state.status}`, 'look at the stack');
    await sleep(POLL_MS);
  }
};

const requireStatus = (state: StackState, wanted: string): void => {
  if (state.status === wanted) return;
  throw new CliError(
    EXIT.failed,
    `CloudFormation ended with ${state.status}${state.reason === '' ? '' : `: ${printable(state.reason)}`}`,
    'the events of the stack say which resource failed',
  );
};

/** Another run of this command is at work: taking its update back would bring the newer release. */
const watchOther = async (stack: StackReleases, context: CommandContext): Promise<ExitCode> => {
  context.terminal.remark('Another go-back is running.');
  requireStatus(await waitForEnd(stack, context), 'UPDATE_COMPLETE');
  show(context.terminal, { watched: true }, ['The other go-back is done.']);
  return EXIT.ok;
};

/** A deploy is running, or is being taken back already. */
const takeBackDeploy = async (stack: StackReleases, context: CommandContext, state: StackState): Promise<ExitCode> => {
  if (state.status === 'UPDATE_IN_PROGRESS') {
    if (await stack.isGoingBack()) return watchOther(stack, context);
    context.terminal.remark('A deploy is running. It is taken back as a whole.');
    await stack.cancelUpdate();
  }
  requireStatus(await waitForEnd(stack, context), 'UPDATE_ROLLBACK_COMPLETE');
  const line = 'The deploy was taken back: everything is as it was before it.';
  show(context.terminal, { takenBack: true }, [line]);
  return EXIT.ok;
};

const backParameterOf = ({ parameters }: StackState): { readonly name: string; readonly isBack: boolean } => {
  const [name, value] = [...parameters].find(([key]) => key.startsWith(BACK_PARAMETER)) ?? [];
  if (name === undefined || value === undefined)
    throw new CliError(EXIT.failed, 'the stack was deployed by a release that cannot go back by this command');
  return { name, isBack: value.split(',')[0] !== AS_DEPLOYED };
};

/** Without a named release, going back twice would go too far. */
const requireUntouched = (state: StackState, isBack: boolean): void => {
  if (!isBack && state.status !== 'UPDATE_ROLLBACK_COMPLETE') return;
  throw new CliError(
    EXIT.failed,
    isBack
      ? 'the stack is back on an earlier release already; nothing was changed'
      : 'the last deploy was taken back already; nothing was changed',
    'to go further back, name the release: go-back <release>',
  );
};

const loadPlan = async (stack: StackReleases, state: StackState, wanted: string | undefined): Promise<GoBackPlan> => {
  const names = outputOf(state, 'Functions').split(',');
  const plan = planGoBack(await Promise.all(names.map(stack.loadFunction)), wanted);
  const data = await stack.loadDataVersion(outputOf(state, 'TableName'), outputOf(state, 'Space'));
  if (data <= plan.data) return plan;
  throw new CliError(
    EXIT.failed,
    `the data is of version ${data}, and release ${plan.release} reads at most version ${plan.data}; nothing was changed`,
    'go forward with a newer release, or restore the table to a time before the upgrade (infra/features/backup/README.md)',
  );
};

const goBackTo = async (
  stack: StackReleases,
  context: CommandContext,
  plan: GoBackPlan,
  parameter: string,
): Promise<void> => {
  const { terminal } = context;
  terminal.remark(`All functions go to release ${plan.release} of ${plan.publishedAt.slice(0, 16)}:`);
  for (const { name, from, to } of plan.moves)
    terminal.remark(`  ${name.padEnd(12)} version ${from}${from === to ? ' stays: it is new' : ` → ${to}`}`);
  await stack.setParameter(parameter, plan.moves.map(({ to }) => to).join(','));
  const after = await waitForEnd(stack, context);
  requireStatus(after, 'UPDATE_COMPLETE');
  const live = await Promise.all(outputOf(after, 'Functions').split(',').map(stack.loadFunction));
  const wrong = plan.moves.filter(({ to }, index) => live[index]?.live !== to).map(({ name }) => name);
  if (wrong.length > 0) throw new CliError(EXIT.failed, `these functions did not change: ${wrong.join(', ')}`);
};

export const buildGoBack = (open: (stack: string) => Promise<StackReleases>): Command => ({
  name: 'go-back',
  usage: '[release]',
  summary: 'put all functions of a deployed stack on the release before (--stack)',
  argCount: [0, 1],
  run: async (context) => {
    const name = context.text('stack');
    if (name === undefined)
      throw new CliError(
        EXIT.usage,
        'go-back needs --stack <name>',
        'on your machine: stop, git checkout <commit>, npm ci, npm start',
      );
    const stack = await open(name);
    const found = await lookUp(name, stack.loadStack());
    const isCleanup = found.status === 'UPDATE_COMPLETE_CLEANUP_IN_PROGRESS';
    if (found.status.endsWith('_IN_PROGRESS') && !isCleanup) return takeBackDeploy(stack, context, found);
    const state = isCleanup ? await waitForEnd(stack, context) : found;
    const { name: parameter, isBack } = backParameterOf(state);
    const [wanted] = context.args;
    if (wanted === undefined) requireUntouched(state, isBack);
    const plan = await loadPlan(stack, state, wanted);
    await goBackTo(stack, context, plan, parameter);
    show(context.terminal, plan, [`Done: every function runs release ${plan.release}. The next deploy moves forward.`]);
    return EXIT.ok;
  },
});

export const goBack = buildGoBack(async (stack) => (await loadDeployed()).openStackReleases(stack));
