/**
 * `policy`: writes a first policy, checks one, tries one on past decisions, puts one in force.
 * `try` ends in exit code 1 if more gets through than before, unless that is meant.
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { GATE_SET } from '../../../lib/core/gates/engine/gate-set.ts';
import { importCedar } from '../../../lib/core/judge/code/cedar-engine.ts';
import { countWords } from '../../../lib/core/text/quoted.ts';
import { approvals } from '../../../lib/core/wings/approvals/operations.ts';
import { readShown, type ShownTargets } from '../../../lib/features/policy/find-undeclared.ts';
import { buildPastAt, type Happened, type PastAt } from '../../../lib/features/policy/past.ts';
import { sayNewReach } from '../../../lib/features/policy/policy-reach.ts';
import { happenedIn, type PolicyFlip, tryPolicy } from '../../../lib/features/policy/try-policy.ts';
import { loadPolicy, performLook, type StackAccess, setPolicy } from '../../cli/client.ts';
import type { Command, CommandContext } from '../../cli/command.ts';
import { actionTitle } from '../../cli/describe-action.ts';
import { buildHttpSource } from '../../cli/evidence/http-source.ts';
import { loadGateSets } from '../../cli/evidence/load-gate-sets.ts';
import { parseSince, readPastEvidence } from '../../cli/evidence/past-evidence.ts';
import {
  CliError,
  EXIT,
  type ExitCode,
  printable,
  printableLines,
  readText,
  show,
  showWords,
  type Terminal,
} from '../../cli/terminal.ts';
import { analysePolicy } from './analyse-policy.ts';
import { buildDefaultPolicy } from './default-policy.ts';
import { compilePolicyFile, targetsHere } from './policy-file.ts';

const SINCE_DEFAULT = '30d';

/** Of the stack if it answers or is named, else of the settings here. */
const findTargets = async (context: CommandContext): Promise<ShownTargets> => {
  const load = async () => (await loadPolicy(await context.access())).targets;
  return context.text('stack') === undefined ? load().catch(() => targetsHere(context)) : load();
};

const initPolicy = async ({ args, folder, terminal }: CommandContext): Promise<ExitCode> => {
  const file = args[1] ?? 'policy.cedar';
  try {
    writeFileSync(resolve(folder, file), buildDefaultPolicy(), { flag: 'wx' });
  } catch {
    throw new CliError(EXIT.failed, `${printable(file)} is there already, or cannot be written; nothing was changed`);
  }
  show(terminal, { file }, [
    `wrote ${printable(file)}: the default permissions. Edit it, then: npx passepartout policy check ${printable(file)}, policy try, policy set.`,
  ]);
  return EXIT.ok;
};

const checkPolicy = async (context: CommandContext): Promise<ExitCode> => {
  const { args, terminal, folder } = context;
  const findings = analysePolicy(await importCedar(), readText(folder, args[1] ?? ''), await findTargets(context));
  const isUsable = findings.problems.length === 0;
  const groups: readonly (readonly [string, readonly string[]])[] = [
    [terminal.paint('red', 'Not usable:'), findings.problems],
    [terminal.paint('yellow', 'Can never match:'), findings.never],
    [terminal.paint('yellow', 'Never decides anything:'), findings.idle],
    [terminal.paint('yellow', 'Always denied:'), findings.alwaysDenied],
    [terminal.paint('yellow', 'Overlaps:'), findings.overlaps],
  ];
  show(terminal, { isUsable, ...findings }, [
    ...groups.flatMap(([heading, found]) =>
      found.length === 0 ? [] : [heading, ...found.map((line) => `  ${printable(line)}`)],
    ),
    ...(isUsable ? ['The policy parses and type-checks.'] : []),
  ]);
  return isUsable ? EXIT.ok : EXIT.failed;
};

const traceLines = (trace: PolicyFlip['traceAfter'], heading: string): readonly string[] => {
  const notable = trace.filter(({ verdict }) => verdict !== 'pass');
  return [
    `    ${heading}: ${trace.length} gates${notable.length === 0 ? ', all passed' : ''}`,
    ...notable.map(({ verdict, gate, reason }) => `      ${verdict.padEnd(6)} ${gate}  ${printable(reason)}`),
  ];
};

const flipLines = (terminal: Terminal, flip: PolicyFlip): readonly string[] => {
  const mark = flip.isWidening ? terminal.paint('red', 'WIDER') : 'narrower';
  return [
    `${mark}  ${printable(flip.signalId)}, ${flip.where}: ${flip.before} → ${flip.after}  ${actionTitle(flip.action)}`,
    ...traceLines(flip.traceBefore, 'before'),
    ...traceLines(flip.traceAfter, 'after'),
  ];
};

/** All that was begun since then: what came before counts as never done. */
const pastBefore = async (
  stack: StackAccess,
  since: number,
  { zone, targets }: Awaited<ReturnType<typeof loadPolicy>>,
): Promise<PastAt> => {
  const happened: Happened[] = [];
  for await (const evidence of readPastEvidence(stack, since)) happened.push(...happenedIn(evidence));
  return buildPastAt(happened, zone, readShown(targets));
};

const tryOnPast = async (context: CommandContext, file: string) => {
  const { access, terminal, text, now } = context;
  const since = parseSince(text('since') ?? SINCE_DEFAULT, now());
  const flips: PolicyFlip[] = [];
  let actions = 0;
  const stack = await access();
  const inForce = await loadPolicy(stack);
  const policy = await compilePolicyFile(context, file, inForce.targets);
  const others = await loadGateSets(buildHttpSource(stack));
  const pastAt = policy.readPast && (await pastBefore(stack, since, inForce));
  for await (const evidence of readPastEvidence(stack, since)) {
    const gateSet = others.get(evidence.decision?.gateSet ?? '') ?? GATE_SET;
    const trial = tryPolicy(gateSet, policy, evidence, pastAt, readShown(inForce.targets));
    actions += trial.actionCount;
    flips.push(...trial.flips);
    terminal.progress(`${actions} actions`);
  }
  terminal.progress('');
  const wanted = readText(context.folder, file);
  const reach = sayNewReach(await importCedar(), inForce.text, wanted);
  const waiting = wanted === inForce.text ? [] : (await performLook(stack, approvals, {})).approvals;
  return {
    endsCards: waiting.length,
    actions,
    flips,
    widenings: flips.filter(({ isWidening }) => isWidening).length,
    reach,
  };
};

const showTrial = async (context: CommandContext): Promise<ExitCode> => {
  const { args, terminal, flag } = context;
  const trial = await tryOnPast(context, args[1] ?? '');
  const { actions, flips, widenings, reach, endsCards } = trial;
  show(terminal, trial, [
    ...flips.flatMap((flip) => flipLines(terminal, flip)),
    ...reach,
    `${actions} actions tried: ${flips.length} would come out otherwise, ${widenings} of them wider.`,
    ...(endsCards === 0 ? [] : [`It would end ${countWords(endsCards, 'waiting card')}, to be asked for again.`]),
  ]);
  return widenings > 0 && !flag('allow-widening') ? EXIT.failed : EXIT.ok;
};

const putInForce = async (context: CommandContext): Promise<ExitCode> => {
  const { args, access, terminal, folder } = context;
  const { actions, flips, widenings, reach } = await tryOnPast(context, args[1] ?? '');
  const answer = await setPolicy(await access(), readText(folder, args[1] ?? ''));
  const { endsCards = 0 } = answer;
  show(terminal, { ...answer, reach }, [
    ...reach,
    `In the last 30 days ${flips.length} of ${actions} actions would have come out otherwise, ${widenings} of them wider.`,
    answer.hash === ''
      ? 'No policy any more: the default permissions count.'
      : `In force: policy ${printable(answer.hash.slice(0, 12))}. Approvals, grants and a yes to a whole job from before do not count any more, and a run that waits for one ends.`,
    ...(endsCards === 0 ? [] : [`It ends ${countWords(endsCards, 'waiting card')}, to be asked for again.`]),
  ]);
  return EXIT.ok;
};

const showPolicy = async ({ access, terminal }: CommandContext): Promise<ExitCode> => {
  const answer = await loadPolicy(await access());
  if (answer.hash === '' && !terminal.isJson) terminal.remark('there is no policy: the default permissions count');
  showWords(terminal, answer, answer.hash === '' ? [] : [printableLines(answer.text).trimEnd()]);
  return EXIT.ok;
};

interface Verb {
  readonly argCount: readonly [number, number];
  readonly run: (context: CommandContext) => Promise<ExitCode>;
}

const VERBS: Readonly<Record<string, Verb>> = {
  init: { argCount: [1, 2], run: initPolicy },
  check: { argCount: [2, 2], run: checkPolicy },
  try: { argCount: [2, 2], run: showTrial },
  set: { argCount: [2, 2], run: putInForce },
  show: { argCount: [1, 1], run: showPolicy },
};

export const policy: Command = {
  name: 'policy',
  usage: 'init | check | try | set | show [file]',
  summary: "the owner's rules: write a first file, check it, try it on past decisions, put it in force",
  options: {
    since: { type: 'string', value: 'time', help: 'try: decisions since then, such as 30d (the default) or 12h' },
    'allow-widening': { type: 'boolean', help: 'try: letting more through than before is meant' },
  },
  argCount: [1, 2],
  run: (context) => {
    const { args } = context;
    const name = args[0] ?? '';
    const verb = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
    if (verb === undefined || args.length < verb.argCount[0] || args.length > verb.argCount[1])
      throw new CliError(
        EXIT.usage,
        'policy needs init, check, try, set or show, and a file',
        'usage: npx passepartout policy init [file] | check <file> | try <file> [--since 30d] | set <file> | show',
      );
    return verb.run(context);
  },
};
