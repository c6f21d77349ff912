/**
 * `policy try`: what a policy would have made of past decisions. Lists every flip with both traces;
 * exit 1 when it lets more through than before, unless that is meant.
 */
import { GATE_SET } from '../../lib/gates/engine/gate-set.ts';
import { parsePolicy } from '../../lib/judge/policy/cedar.ts';
import { compilePolicy } from '../../lib/judge/policy/compile-policy.ts';
import { importCedar } from '../../lib/judge/policy/space-policy.ts';
import { collectEvidence, parseSince } from './collect-evidence.ts';
import type { CommandContext } from './command.ts';
import { actionTitle } from './describe-action.ts';
import { CliError, EXIT, type ExitCode } from './exit-codes.ts';
import { type PolicyFlip, tryPolicy } from './pipeline/try-policy.ts';
import { printable } from './printable.ts';
import type { Terminal } from './terminal.ts';

const SINCE_DEFAULT = '30d';

const traceLines = (trace: PolicyFlip['traceAfter'], heading: string): readonly string[] => {
  const said = trace.filter(({ verdict }) => verdict !== 'pass');
  const lines = said.map(({ gate, verdict, reason }) => `      ${verdict.padEnd(6)} ${gate}  ${printable(reason)}`);
  return [`    ${heading}: ${trace.length} gates${said.length === 0 ? ', all passed' : ''}`, ...lines];
};

const showFlip = (terminal: Terminal, flip: PolicyFlip): void => {
  const mark = flip.isWidening ? terminal.paint('red', 'WIDER') : 'narrower';
  terminal.line(
    `${mark}  ${printable(flip.signalId)}, ${flip.where}: ${flip.before} → ${flip.after}  ${actionTitle(flip.action)}`,
  );
  for (const line of [...traceLines(flip.traceBefore, 'before'), ...traceLines(flip.traceAfter, 'after')])
    terminal.line(line);
};

export const tryPolicyOnPast = async (context: CommandContext, policyText: string): Promise<ExitCode> => {
  const { terminal, text, now, flag } = context;
  const cedar = await importCedar();
  const parsed = parsePolicy(cedar, policyText);
  if (parsed.problems.length > 0)
    throw new CliError(EXIT.usage, `the policy is not usable: ${printable(parsed.problems.join('; '))}`);
  const policy = compilePolicy(cedar, policyText, parsed);
  const since = parseSince(text('since') ?? SINCE_DEFAULT, now());
  const flips: PolicyFlip[] = [];
  let actions = 0;
  for await (const evidence of collectEvidence(await context.client(), since)) {
    const trial = tryPolicy(GATE_SET, policy, evidence);
    actions += trial.actionCount;
    flips.push(...trial.flips);
    terminal.progress(`${actions} actions`);
  }
  terminal.progress('');
  const widenings = flips.filter(({ isWidening }) => isWidening).length;
  if (terminal.isJson) terminal.json({ actions, flips, widenings });
  else {
    for (const flip of flips) showFlip(terminal, flip);
    terminal.line(`${actions} actions tried: ${flips.length} would come out otherwise, ${widenings} of them wider.`);
  }
  return widenings > 0 && !flag('allow-widening') ? EXIT.failed : EXIT.ok;
};
